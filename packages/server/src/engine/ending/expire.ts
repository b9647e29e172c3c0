import { decodeRow } from './codec.ts'
import { expireConnectIn } from './connect-end.ts'
import { type Core, questionFacts, reportClosed } from './core.ts'
import { judgeDeadline } from './decide/deadline.ts'
import { newRun, stopWaitingFor } from './decide/run.ts'
import { close, timeOut } from './decide/transition.ts'
import { orphanIn } from './orphan.ts'
import { putQuestion, readQuestion } from './place.ts'
import { resumeSoon } from './resume.ts'
import type { QuestionRow, QuestionStatus } from './rows.ts'
import { putRun } from './runs.ts'
import type { Tx } from './tx.ts'

/** How long `onTimeout` may take before somebody looks whether its process lives. */
const HANDLER_MS = 30_000
const PAGE = 100
const IDLE_MS = 60_000
const SOON_MS = 2

/** Does what is due about one question: expiry, a repeated look, or giving its answer on. Any node may. */
export async function meetDeadline(core: Core, partition: string, id: string): Promise<QuestionRow | null> {
  return await core.transact(partition, async (tx) => {
    const row = await readQuestion(tx, id)
    if (!row) return null
    return await meetDeadlineIn(core, tx, row)
  })
}

export async function meetDeadlineIn(core: Core, tx: Tx, row: QuestionRow): Promise<QuestionRow> {
  switch (judgeDeadline(row, tx.now)) {
    case 'nothing':
      return row
    case 'time_out':
      tx.committed(() => reportTimeOut(core, row, tx.now))
      return timeOutIn(core, tx, timeOut(row, tx.now + HANDLER_MS))
    case 'postpone':
      return timeOutIn(core, tx, { ...row, lookAgainAt: tx.now + HANDLER_MS })
    case 'orphan':
      return await giveOn(core, tx, row)
    case 'expire':
      return row.kind === 'connect' ? await expireConnectIn(core, tx, row) : await expireIn(core, tx, row)
  }
}

/** The tool is to decide; if it is suspended, it is run for that. */
function timeOutIn(core: Core, tx: Tx, row: QuestionRow): QuestionRow {
  putQuestion(tx, row)
  tx.committed(() => {
    core.waiters.check(tx.partition, row.id)
    if (row.waiter === 'suspended') resumeSoon(core, tx.partition, row)
  })
  return row
}

async function expireIn(core: Core, tx: Tx, row: QuestionRow): Promise<QuestionRow> {
  const [live, idle] = await tx.read(['run', row.runId], ['idle', row.runId])
  const run = live ?? idle
  const { row: closed, event } = close(row, 'expired', { type: 'refused', outcome: 'expired' }, tx.now)
  putQuestion(tx, closed)
  tx.event(event)
  putRun(tx, row.sessionId, run, stopWaitingFor(run ?? newRun(row.runId), row.id))
  tx.committed(() => expired(core, tx.partition, row.status, closed))
  return closed
}

function reportTimeOut(core: Core, row: QuestionRow, at: number): void {
  core.emit({ type: 'timed_out', ...questionFacts(row, at), waitedMs: at - row.askedAt })
}

export function expired(core: Core, partition: string, before: QuestionStatus, row: QuestionRow): void {
  const at = row.endedAt ?? row.expiresAt
  if (before === 'open') reportTimeOut(core, row, at)
  reportClosed(core, row, at)
  core.waiters.check(partition, row.id)
  if (row.waiter === 'suspended') resumeSoon(core, partition, row)
}

/** Nobody came back for this answer. */
async function giveOn(core: Core, tx: Tx, row: QuestionRow): Promise<QuestionRow> {
  const [live, idle] = await tx.read(['run', row.runId], ['idle', row.runId])
  const run = live ?? idle
  putRun(tx, row.sessionId, run, stopWaitingFor(run ?? newRun(row.runId), row.id))
  return orphanIn(core, tx, row)
}

/** Everything whose time has come, over all sessions. Returns in how many milliseconds the next one comes. */
export async function meetDeadlines(core: Core): Promise<number | undefined> {
  for (;;) {
    const { now, rows, nextDue } = await core.store.due('question', { limit: PAGE })
    let moved = 0
    for (const { partition, id, data } of rows) {
      const before = decodeRow('question', data) as QuestionRow
      if (before.onTimeout && before.status === 'open' && !isTurn(core, before, now)) continue
      await meetDeadline(core, partition, id)
      moved++
    }
    if (rows.length === PAGE && moved > 0) continue
    if (moved < rows.length) return HEAD_START_MS
    return nextDue === undefined ? IDLE_MS : Math.min(IDLE_MS, Math.max(SOON_MS, nextDue - now))
  }
}

/** The process that waits has a head start: its handler shall run there without a detour. */
const HEAD_START_MS = 500
function isTurn(core: Core, { owner, waiter, expiresAt }: QuestionRow, now: number): boolean {
  return waiter !== 'inline' || owner === core.incarnation || now >= expiresAt + HEAD_START_MS
}
