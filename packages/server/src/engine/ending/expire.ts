import { orphanIn } from '../delivery/unclaimed-answer.ts'
import { warnOfUnknownTool } from '../delivery/unregistered-tool.ts'
import { type Core, questionFacts, reportClosed } from '../kernel/kernel.ts'
import { resumeSoon } from '../kernel/resume-call.ts'
import { eachDue } from '../records/each-due.ts'
import { putQuestion, readQuestion } from '../records/question-records.ts'
import { putRun } from '../records/run-records.ts'
import type { Tx } from '../records/transaction.ts'
import { judgeDeadline } from '../state/judge-deadline.ts'
import { close, timeOut } from '../state/question-steps.ts'
import type { QuestionRow, QuestionStatus } from '../state/rows.ts'
import { newRun, stopWaitingFor } from '../state/run-steps.ts'
import { expireConnectIn } from './end-connect.ts'

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
      if (await isForgotten(core, tx, row)) return await giveOn(core, tx, row)
      return timeOutIn(core, tx, { ...row, lookAgainAt: tx.now + HANDLER_MS })
    case 'orphan':
      return await giveOn(core, tx, row)
    case 'expire':
      return row.kind === 'connect' ? await expireConnectIn(core, tx, row) : await expireIn(core, tx, row)
  }
}

/** The answer of a suspended call whose tool no process came with in time. */
async function isForgotten(core: Core, tx: Tx, row: QuestionRow): Promise<boolean> {
  if (row.waiter !== 'suspended' || !row.answer || core.tools.find(row.toolName)) return false
  if (tx.now < row.answer.at + core.settings.orphanAfterMs) return false
  const [call] = await tx.read(['call', row.call])
  if (call && call.status !== 'suspended') return false
  warnOfUnknownTool(core, row)
  return true
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
  const { left, nextInMs } = await eachDue(core, 'question', {
    room: () => PAGE,
    atOnce: false,
    async work(before, { partition, id }, now) {
      if (before.onTimeout && before.status === 'open' && !isTurn(core, before, now)) return false
      await meetDeadline(core, partition, id)
      return true
    },
  })
  if (left > 0) return HEAD_START_MS
  return nextInMs === undefined ? IDLE_MS : Math.min(IDLE_MS, Math.max(SOON_MS, nextInMs))
}

/** The process that waits has a head start: its handler shall run there without a detour. */
const HEAD_START_MS = 500
function isTurn(core: Core, { owner, waiter, expiresAt }: QuestionRow, now: number): boolean {
  return waiter !== 'inline' || owner === core.incarnation || now >= expiresAt + HEAD_START_MS
}
