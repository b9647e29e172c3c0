import { secretId } from '../answering/secret-vault.ts'
import { isUnderWay } from '../calls/claim-call.ts'
import type { Kernel } from '../kernel/kernel.ts'
import { eachDue } from '../records/each-due.ts'
import type { Transaction } from '../records/transaction.ts'
import type { CallRow, Kind, QuestionRow, RunStateRow, SentRow, UploadRow } from '../state/rows.ts'

const EVERY_MS = 60 * 60_000
const PAGE = 100
const DAY_MS = 24 * 60 * 60_000
export const KEEP_MS = 30 * DAY_MS

/**
 * The kinds of rows that are dropped when their time has come. Open, running and undelivered rows have no such time.
 */
const kinds = [
  'ended',
  'call',
  'idle',
  'upload',
  'revoked',
  'flow',
  'action',
  'link',
  'sent',
  'state',
] as const satisfies readonly Kind[]

/** Drops records that are older than they have to be, and events beyond the number that is kept. */
export async function retain(kernel: Kernel): Promise<number> {
  for (const kind of kinds) {
    await eachDue(kernel, kind, {
      room: () => PAGE,
      atOnce: false,
      async work(_row, { partition, id }) {
        await kernel.transact(partition, (tx) => drop(kernel, tx, kind, id))
        return true
      },
    })
  }
  await trimLogs(kernel)
  return EVERY_MS
}

async function drop(kernel: Kernel, tx: Transaction, kind: (typeof kinds)[number], id: string): Promise<void> {
  const [row] = await tx.read([kind, id])
  if (!row) return
  const again = { due: tx.now + DAY_MS }
  if (kind === 'call') {
    const call = row as CallRow
    if (isUnderWay(call)) return tx.put('call', id, call, again)
    const live = await liveQuestions(tx, call)
    if (live.some((question) => !isAbandoned(question, tx))) return tx.put('call', id, call, again)
    for (const question of live) {
      dropSecrets(tx, question)
      tx.delete('question', question.id)
    }
    for (const entry of await kernel.store.list(tx.partition, 'journal', { after: `${id}/`, limit: 1_000 })) {
      if (entry.id.startsWith(`${id}/`)) tx.delete('journal', entry.id)
    }
  } else if (kind === 'upload') {
    const upload = row as UploadRow
    const [asked] = await tx.read(['question', upload.interactionId])
    if (asked) return tx.put('upload', id, upload, again)
  } else if (kind === 'sent') {
    const { interactionId } = row as SentRow
    const [asked, ended] = await tx.read(['question', interactionId], ['ended', interactionId])
    if (asked || ended) return tx.put('sent', id, row as SentRow, again)
  } else if (kind === 'state') {
    const state = row as RunStateRow
    const [run] = await tx.read(['run', state.runId])
    if (run) return tx.put('state', id, state, again)
  } else if (kind === 'ended') dropSecrets(tx, row as QuestionRow)
  tx.delete(kind, id)
}

async function liveQuestions(tx: Transaction, call: CallRow): Promise<QuestionRow[]> {
  const ids = Object.values(call.keys).map(({ interactionId }) => interactionId)
  const rows = await tx.read(...ids.map((id) => ['question', id] as const))
  return rows.filter((row) => row !== null)
}

/** Answered before a gate, for a request that never resumed: no code waits for it, and no client is notified. */
function isAbandoned({ waiter, status, answer }: QuestionRow, { now, keepUntil }: Transaction): boolean {
  return waiter === 'gate' && status === 'answered' && answer !== undefined && answer.at + (keepUntil - now) <= now
}

function dropSecrets(tx: Transaction, { answer }: QuestionRow): void {
  for (const value of Object.values(answer?.input ?? {})) {
    const id = typeof value === 'string' ? secretId(value) : null
    if (id !== null) tx.delete('secret', id)
  }
}

/** Snapshots are made of rows, so no open question needs the events that go. */
async function trimLogs(kernel: Kernel): Promise<void> {
  const keep = kernel.settings.retention?.events
  if (keep === undefined) return
  for (const partition of [...kernel.touched]) {
    kernel.touched.delete(partition)
    const { head } = await kernel.store.readLog(partition, { from: Number.MAX_SAFE_INTEGER, limit: 1 })
    if (head > keep) await kernel.store.trim(partition, head - keep + 1)
  }
}
