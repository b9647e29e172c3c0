import { errorFacts } from '../../base/logger.ts'
import { listedPages, logPages } from '../../store/every-page.ts'
import type { LogEvent } from '../../store/port.ts'
import type { CallKernel } from '../calls/call-kernel.ts'
import { putCall } from '../calls/claim-call.ts'
import { cancelSession } from '../ending/cancel.ts'
import {
  inboxPresencePartition,
  namedTag,
  presencePartition,
  sessionIdOf,
  sessionPartition,
  sessionsTag,
  userPartition,
} from '../records/keys.ts'
import { readQuestion, rewriteQuestion } from '../records/question-records.ts'
import { isUnreadable } from '../records/row-codec.ts'
import type { Transaction } from '../records/transaction.ts'
import type { QuestionRow } from '../state/rows.ts'
import { redactPerson } from './redact-person.ts'

const PAGE = 100

/** Ends all open work of a session, then removes it completely: questions, answers, secrets, uploads, log. */
export async function eraseSession(kernel: CallKernel, tenant: string, sessionId: string): Promise<void> {
  await kernel.ready()
  const partition = sessionPartition(tenant, sessionId)
  await cancelSession(kernel, partition, sessionId, 'erased').catch((error) => {
    // An unreadable row cannot be ended in order, so it is only dropped.
    if (!isUnreadable(error)) throw error
    kernel.log.warn('a session with an unreadable row is erased without ending its running work', errorFacts(error))
  })
  await kernel.store.erase(partition)
  await kernel.store.erase(presencePartition(tenant, sessionId))
}

/**
 * Drops a user's sessions, remembered approvals and account flows, and takes them out of other people's sessions.
 * Returns how many sessions there were.
 */
export async function eraseUser(kernel: CallKernel, tenant: string, userId: string): Promise<number> {
  await kernel.ready()
  let erased = 0
  for (;;) {
    const { rows } = await kernel.store.byTag(sessionsTag(tenant, userId), { limit: PAGE })
    for (const { partition } of rows) {
      await eraseSession(kernel, tenant, sessionIdOf(partition))
      erased++
    }
    if (rows.length === 0) break
  }
  await kernel.store.erase(userPartition(tenant, userId))
  await kernel.store.erase(inboxPresencePartition(tenant, userId))
  for (;;) {
    const { rows } = await kernel.store.byTag(namedTag(tenant, userId), { limit: PAGE })
    for (const { partition } of rows) await forgetIn(kernel, partition, userId)
    if (rows.length === 0) return erased
  }
}

/**
 * Another user's session: the answers stay as part of the tool's work, but without the erased name. The rows of
 * snapshots are rewritten first, then the log, whose readers start again with a snapshot. The pointer to this session
 * is removed last, so that an interrupted erasure can be repeated; that write also wakes the readers.
 */
async function forgetIn(kernel: CallKernel, partition: string, userId: string): Promise<void> {
  for (const kind of ['question', 'ended', 'call'] as const) {
    for (const id of await naming(kernel, partition, kind, userId)) {
      await kernel.transact(partition, (tx) =>
        kind === 'call' ? forgetInCall(tx, id, userId) : forgetInQuestion(tx, id, userId),
      )
    }
  }
  for (const kind of ['link', 'sent', 'delivery'] as const) await dropOwn(kernel, partition, kind, userId)
  await forgetInLog(kernel, partition, userId)
  await kernel.transact(partition, async (tx) => {
    const [named] = await tx.read(['named', userId])
    if (named) tx.delete('named', userId)
  })
}

/** Ids of the rows whose text has that user's id somewhere. */
async function naming(kernel: CallKernel, partition: string, kind: string, userId: string): Promise<string[]> {
  const found: string[] = []
  for await (const { rows } of listedPages(kernel.store, partition, kind)) {
    for (const { id, data } of rows) if (data.includes(JSON.stringify(userId))) found.push(id)
  }
  return found
}

async function forgetInQuestion(tx: Transaction, id: string, userId: string): Promise<void> {
  const row = await readQuestion(tx, id)
  if (!row) return
  rewriteQuestion(tx, redactPerson(await withoutUploads(tx, row, userId), userId))
}

/** A file that the answer names is part of what the tool got, and stays without a name; other files go. */
async function withoutUploads(tx: Transaction, row: QuestionRow, userId: string): Promise<QuestionRow> {
  const uploads = Object.entries(row.uploads ?? {})
  const others = uploads.filter(([, upload]) => upload.userId !== userId)
  if (others.length === uploads.length) return row
  const answered = JSON.stringify(row.answer ?? null)
  for (const [handle, upload] of uploads) {
    if (upload.userId !== userId) continue
    const [file] = await tx.read(['upload', handle])
    if (file && answered.includes(JSON.stringify(handle))) {
      tx.put('upload', handle, { ...file, userId: '' }, { due: tx.keepUntil })
    } else tx.delete('upload', handle)
  }
  return { ...row, uploads: Object.fromEntries(others) }
}

/** Links of the erased user no longer open, and messages to the user are neither sent nor changed. */
async function dropOwn(kernel: CallKernel, partition: string, kind: 'link' | 'sent' | 'delivery', userId: string) {
  for (const id of await naming(kernel, partition, kind, userId)) {
    await kernel.transact(partition, async (tx) => {
      const [row] = await tx.read([kind, id])
      const isOwn = row && ('to' in row ? row.to === userId : kind !== 'delivery')
      if (isOwn) tx.delete(kind, id)
    })
  }
}

async function forgetInCall(tx: Transaction, id: string, userId: string): Promise<void> {
  const [row] = await tx.read(['call', id])
  if (row) putCall(tx, id, redactPerson(row, userId))
}

async function forgetInLog(kernel: CallKernel, partition: string, userId: string): Promise<void> {
  const rewritten: LogEvent[] = []
  for await (const { events } of logPages(kernel.store, partition)) {
    for (const { seq, json } of events) {
      if (!json.includes(JSON.stringify(userId))) continue
      const event: unknown = JSON.parse(json)
      const nameless = redactPerson(event, userId)
      if (nameless !== event) rewritten.push({ seq, json: JSON.stringify(nameless) })
    }
  }
  await kernel.store.rewrite(partition, rewritten)
}
