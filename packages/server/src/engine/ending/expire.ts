import type { DeliveryKernel } from '../delivery/delivery-kernel.ts'
import { deliverUnclaimedAnswer } from '../delivery/unclaimed-answer.ts'
import { warnOfUnknownTool } from '../delivery/unregistered-tool.ts'
import { questionFacts, reportClosed } from '../kernel/report.ts'
import { eachDue } from '../records/each-due.ts'
import { putQuestion, readQuestion } from '../records/question-records.ts'
import { changeRun } from '../records/run-records.ts'
import type { Transaction } from '../records/transaction.ts'
import { judgeDeadline } from '../state/judge-deadline.ts'
import { kinds } from '../state/kinds.ts'
import { endUnanswered, timeOut } from '../state/question-steps.ts'
import type { QuestionRow, QuestionStatus } from '../state/rows.ts'
import { stopWaitingFor } from '../state/run-steps.ts'
import { cancelRunIn } from './cancel.ts'

/** How long `onTimeout` may take before another process checks whether its process lives. */
const HANDLER_MS = 30_000
const PAGE = 100
const IDLE_MS = 60_000
const SOON_MS = 2

/**
 * Handles the deadline of one question on any node: expires it, checks it again, or delivers its answer as a follow-up.
 */
export async function enforceDeadline(
  kernel: DeliveryKernel,
  partition: string,
  id: string,
): Promise<QuestionRow | null> {
  return await kernel.transact(partition, async (tx) => {
    const row = await readQuestion(tx, id)
    if (!row) return null
    return await enforceDeadlineIn(kernel, tx, row)
  })
}

export async function enforceDeadlineIn(
  kernel: DeliveryKernel,
  tx: Transaction,
  row: QuestionRow,
): Promise<QuestionRow> {
  switch (judgeDeadline(row, tx.now)) {
    case 'nothing':
      return row
    case 'time_out':
      tx.committed(() => reportTimeOut(kernel, row, tx.now))
      return timeOutIn(kernel, tx, timeOut(row, tx.now + HANDLER_MS))
    case 'postpone':
      if (await isForgotten(kernel, tx, row)) return await deliverUnclaimed(kernel, tx, row)
      return timeOutIn(kernel, tx, { ...row, lookAgainAt: tx.now + HANDLER_MS })
    case 'orphan':
      return await deliverUnclaimed(kernel, tx, row)
    case 'expire':
      return await expireIn(kernel, tx, row)
  }
}

/** The call is suspended, and no process with its tool ran it in time. */
async function isForgotten(kernel: DeliveryKernel, tx: Transaction, row: QuestionRow): Promise<boolean> {
  if (row.waiter !== 'suspended' || !row.answer || kernel.findTool(row.toolName)) return false
  if (tx.now < row.answer.at + kernel.settings.orphanAfterMs) return false
  const [call] = await tx.read(['call', row.call])
  if (call && call.status !== 'suspended') return false
  warnOfUnknownTool(kernel, row)
  return true
}

/** The tool decides about the time-out. A suspended tool is run again for this. */
function timeOutIn(kernel: DeliveryKernel, tx: Transaction, row: QuestionRow): QuestionRow {
  putQuestion(tx, row)
  tx.committed(() => {
    kernel.wakeWaiters(tx.partition, row.id)
    if (row.waiter === 'suspended') kernel.resumeCall(tx.partition, row.call)
  })
  return row
}

export async function expireIn(kernel: DeliveryKernel, tx: Transaction, row: QuestionRow): Promise<QuestionRow> {
  const { row: closed, event } = endUnanswered(row, 'expired', tx.now)
  putQuestion(tx, closed)
  tx.event(event)
  const { expiryCancelsRun } = kinds[row.kind]
  if (expiryCancelsRun !== undefined) {
    await cancelRunIn(kernel, tx, row.sessionId, row.runId, expiryCancelsRun, row.id)
  } else await changeRun(tx, row.sessionId, row.runId, (run) => stopWaitingFor(run, row.id))
  tx.committed(() => expired(kernel, tx.partition, row.status, closed))
  return closed
}

function reportTimeOut(kernel: DeliveryKernel, row: QuestionRow, at: number): void {
  kernel.emit({ type: 'timed_out', ...questionFacts(row, at), waitedMs: at - row.askedAt })
}

function expired(kernel: DeliveryKernel, partition: string, before: QuestionStatus, row: QuestionRow): void {
  const at = row.endedAt ?? row.expiresAt
  if (before === 'open') reportTimeOut(kernel, row, at)
  reportClosed(kernel, row, at)
  kernel.wakeWaiters(partition, row.id)
  if (row.waiter === 'suspended') kernel.resumeCall(partition, row.call)
}

/** No execution claimed this answer. */
async function deliverUnclaimed(kernel: DeliveryKernel, tx: Transaction, row: QuestionRow): Promise<QuestionRow> {
  await changeRun(tx, row.sessionId, row.runId, (run) => stopWaitingFor(run, row.id))
  return deliverUnclaimedAnswer(kernel, tx, row)
}

/** Handles all due questions of all sessions. Returns the milliseconds until the next one is due. */
export async function enforceDeadlines(kernel: DeliveryKernel): Promise<number | undefined> {
  const { left, nextInMs } = await eachDue(kernel, 'question', {
    room: () => PAGE,
    atOnce: false,
    async work(before, { partition, id }, now) {
      if (before.onTimeout && before.status === 'open' && !isTurn(kernel, before, now)) return false
      await enforceDeadline(kernel, partition, id)
      return true
    },
  })
  if (left > 0) return HEAD_START_MS
  return nextInMs === undefined ? IDLE_MS : Math.min(IDLE_MS, Math.max(SOON_MS, nextInMs))
}

/** Delayed on other nodes, so that the handler usually runs in the process that waits. */
const HEAD_START_MS = 500
function isTurn(kernel: DeliveryKernel, { owner, waiter, expiresAt }: QuestionRow, now: number): boolean {
  return waiter !== 'inline' || owner === kernel.incarnation || now >= expiresAt + HEAD_START_MS
}
