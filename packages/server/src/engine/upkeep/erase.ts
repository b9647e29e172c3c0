import type { LogEvent } from '../store/port.ts'
import { putCall } from './calls.ts'
import { cancelSession } from './cancel.ts'
import { decodeRow } from './codec.ts'
import type { Core } from './core.ts'
import { namedTag, presencePartition, sessionPartition, sessionsTag, userPartition } from './names.ts'
import { putQuestion, readQuestion } from './place.ts'
import type { SessionRow } from './rows.ts'
import type { Tx } from './tx.ts'
import { withoutPerson } from './without-person.ts'

const PAGE = 100
const LOG_PAGE = 500

/** Ends whatever goes on in a session, then drops all of it: questions, answers, secrets, uploads, log. */
export async function eraseSession(core: Core, tenant: string, sessionId: string): Promise<void> {
  await core.ready()
  const partition = sessionPartition(tenant, sessionId)
  await cancelSession(core, partition, sessionId, 'erased')
  await core.store.erase(partition)
  await core.store.erase(presencePartition(tenant, sessionId))
}

/**
 * Drops a user's sessions, remembered approvals and account flows, and takes them out of other people's sessions.
 * Returns how many sessions there were.
 */
export async function eraseUser(core: Core, tenant: string, userId: string): Promise<number> {
  await core.ready()
  let erased = 0
  for (;;) {
    const { rows } = await core.store.byTag(sessionsTag(tenant, userId), { limit: PAGE })
    for (const { data } of rows) {
      await eraseSession(core, tenant, (decodeRow('session', data) as SessionRow).sessionId)
      erased++
    }
    if (rows.length === 0) break
  }
  await core.store.erase(userPartition(tenant, userId))
  for (;;) {
    const { rows } = await core.store.byTag(namedTag(tenant, userId), { limit: PAGE })
    for (const { partition } of rows) await forgetIn(core, partition, userId)
    if (rows.length === 0) return erased
  }
}

/**
 * Somebody else's session: the answers stay, as part of what a tool did there, and nobody's name stands on them. First
 * what snapshots are made of, then the log, whose readers begin anew with a snapshot. What led here goes last, so that
 * an erasure that was broken off can be repeated; writing that also wakes the readers.
 */
async function forgetIn(core: Core, partition: string, userId: string): Promise<void> {
  for (const kind of ['question', 'ended', 'call'] as const) {
    for (const id of await naming(core, partition, kind, userId)) {
      await core.transact(partition, (tx) =>
        kind === 'call' ? forgetInCall(tx, id, userId) : forgetInQuestion(tx, id, userId),
      )
    }
  }
  await forgetInLog(core, partition, userId)
  await core.transact(partition, async (tx) => {
    const [named] = await tx.read(['named', userId])
    if (named) tx.delete('named', userId)
  })
}

/** Ids of the rows whose text has that user's id somewhere. */
async function naming(core: Core, partition: string, kind: string, userId: string): Promise<string[]> {
  const found: string[] = []
  for (let after: string | undefined; ; ) {
    const page = await core.store.list(partition, kind, { limit: PAGE, ...(after !== undefined && { after }) })
    for (const { id, data } of page) if (data.includes(JSON.stringify(userId))) found.push(id)
    after = page.at(-1)?.id
    if (page.length < PAGE) return found
  }
}

async function forgetInQuestion(tx: Tx, id: string, userId: string): Promise<void> {
  const row = await readQuestion(tx, id)
  if (row) putQuestion(tx, withoutPerson(row, userId))
}

async function forgetInCall(tx: Tx, id: string, userId: string): Promise<void> {
  const [row] = await tx.read(['call', id])
  if (row) putCall(tx, id, withoutPerson(row, userId))
}

async function forgetInLog(core: Core, partition: string, userId: string): Promise<void> {
  const rewritten: LogEvent[] = []
  for (let from = 1; ; ) {
    const page = await core.store.readLog(partition, { from, limit: LOG_PAGE })
    for (const { seq, json } of page.events) {
      if (!json.includes(JSON.stringify(userId))) continue
      const event: unknown = JSON.parse(json)
      const nameless = withoutPerson(event, userId)
      if (nameless !== event) rewritten.push({ seq, json: JSON.stringify(nameless) })
    }
    const last = page.events.at(-1)
    if (!last || last.seq >= page.head) break
    from = last.seq + 1
  }
  await core.store.rewrite(partition, rewritten)
}
