import { cancelSession } from './cancel.ts'
import { decodeRow } from './codec.ts'
import type { Core } from './core.ts'
import { answererTag, presencePartition, sessionPartition, sessionsTag, userPartition } from './names.ts'
import { putQuestion, readQuestion } from './place.ts'
import type { QuestionOutcome, QuestionRow, SessionRow } from './rows.ts'

const PAGE = 100

/** Ends whatever goes on in a session, then drops all of it: questions, answers, secrets, uploads, log. */
export async function eraseSession(core: Core, tenant: string, sessionId: string): Promise<void> {
  await core.ready()
  const partition = sessionPartition(tenant, sessionId)
  await cancelSession(core, partition, sessionId, 'erased')
  await core.store.erase(partition)
  await core.store.erase(presencePartition(tenant, sessionId))
}

/**
 * Drops a user's sessions, remembered approvals and account flows, and takes the name off the answers that they gave in
 * other people's. Returns how many sessions there were.
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
  await forgetAnswerer(core, answererTag(tenant, userId))
  return erased
}

/** The answers stay: they are part of what somebody else's tool did. */
async function forgetAnswerer(core: Core, tag: string): Promise<void> {
  for (;;) {
    const { rows } = await core.store.byTag(tag, { limit: PAGE })
    for (const { partition, id } of rows) {
      await core.transact(partition, async (tx) => {
        const row = await readQuestion(tx, id)
        if (row) putQuestion(tx, nameless(row))
      })
    }
    if (rows.length === 0) return
  }
}

const ERASED = { clientId: 'erased' }

function nameless({ answer, response, outcome, ...row }: QuestionRow): QuestionRow {
  return {
    ...row,
    ...(answer && { answer: { ...answer, by: ERASED } }),
    ...(response && {
      response: response.type === 'interaction_response' ? { ...response, respondedBy: ERASED } : response,
    }),
    ...(outcome && { outcome: namelessOutcome(outcome) }),
  }
}

/** What a shortcut records says who answered. */
function namelessOutcome(outcome: QuestionOutcome): QuestionOutcome {
  const { value } = outcome.type === 'complete' ? outcome : {}
  if (typeof value !== 'object' || value === null || !('respondedBy' in value)) return outcome
  return { type: 'complete', value: { ...value, respondedBy: ERASED } }
}
