import type { Row } from '../../store/port.ts'
import { secretId } from '../answering/secret-vault.ts'
import { isUnderWay } from '../calls/claim-call.ts'
import type { Kernel } from '../kernel/kernel.ts'
import { eachDue } from '../records/each-due.ts'
import type { Transaction } from '../records/transaction.ts'
import type { CallRow, Kind, QuestionRow, RunStateRow, SentRow, UploadRow } from '../state/rows.ts'

const EVERY_MS = 60 * 60_000
const PAGE = 100
/** Journal rows that one commit drops. */
const JOURNAL_PAGE = 1_000
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
        while (await kernel.transact(partition, (tx) => drop(kernel, tx, kind, id)));
        return true
      },
    })
  }
  await trimLogs(kernel)
  return EVERY_MS
}

/** Drops a row with what belongs to it. Returns true if this is more than one commit should hold: call it again. */
async function drop(kernel: Kernel, tx: Transaction, kind: (typeof kinds)[number], id: string): Promise<boolean> {
  const [row] = await tx.read([kind, id])
  if (!row) return false
  if (await isNeeded(tx, kind, row)) {
    tx.put(kind, id, row, { due: tx.now + DAY_MS })
    return false
  }
  if (kind === 'ended') dropSecrets(tx, row as QuestionRow)
  if (kind === 'call') {
    const call = row as CallRow
    for (const question of await liveQuestions(tx, call)) {
      dropSecrets(tx, question)
      tx.delete('question', question.id)
    }
    const entries = await journalPage(kernel, tx.partition, id)
    for (const entry of entries) tx.delete('journal', entry.id)
    if (entries.length === JOURNAL_PAGE) {
      // The call goes with the last page of its journal, so a process that dies in between leaves nothing behind.
      tx.put('call', id, call, { due: tx.now })
      return true
    }
  }
  tx.delete(kind, id)
  return false
}

/** Returns whether a row is in use, or another row still refers to it. It then stays for another day. */
async function isNeeded(tx: Transaction, kind: (typeof kinds)[number], row: object): Promise<boolean> {
  if (kind === 'call') {
    const call = row as CallRow
    return isUnderWay(call) || (await liveQuestions(tx, call)).some((question) => !isAbandoned(question, tx))
  }
  if (kind === 'upload') return (await tx.read(['question', (row as UploadRow).interactionId]))[0] !== null
  if (kind === 'state') return (await tx.read(['run', (row as RunStateRow).runId]))[0] !== null
  if (kind !== 'sent') return false
  const { interactionId } = row as SentRow
  const [asked, ended] = await tx.read(['question', interactionId], ['ended', interactionId])
  return asked !== null || ended !== null
}

async function journalPage({ store }: Kernel, partition: string, call: string): Promise<Row[]> {
  const page = await store.list(partition, 'journal', { after: `${call}/`, limit: JOURNAL_PAGE })
  return page.filter(({ id }) => id.startsWith(`${call}/`))
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
