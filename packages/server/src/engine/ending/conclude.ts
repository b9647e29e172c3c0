import { canonicalJson, recordable } from '../../base/canonical-json.ts'
import type { Complete, Outcome } from '../api/questions.ts'
import { addQuestion } from '../asking/open-question.ts'
import { wireOf } from '../asking/request-event.ts'
import type { CallKernel } from '../calls/call-kernel.ts'
import { callRefs, claimCall, type Entered } from '../calls/claim-call.ts'
import type { Execution } from '../calls/execution.ts'
import { deliverOutcome } from '../delivery/outcome-delivery.ts'
import { questionFacts, reportClosed } from '../kernel/report.ts'
import { putQuestion } from '../records/question-records.ts'
import { putRun } from '../records/run-records.ts'
import type { KnownRows, Transaction } from '../records/transaction.ts'
import { isLive } from '../state/question.ts'
import { close, conclude, defer, recordArgs } from '../state/question-steps.ts'
import type { QuestionOutcome, QuestionRow } from '../state/rows.ts'
import { isCancelled, newRun, stopWaitingFor } from '../state/run-steps.ts'
import { askAgain, questionGone, successor } from './reprompt.ts'

/** The result of a handler: an outcome, or an error of its own. */
export type Handled = Outcome | { failed: true }

export type Concluded =
  /** The outcome is recorded, by this attempt or an earlier one, or the question was cancelled: see `row`. */
  | { type: 'recorded'; row: QuestionRow }
  /** The question was asked again: the new one to wait for. */
  | { type: 'reprompted'; row: QuestionRow }
  /** The question has neither an answer nor a time-out to handle, so there is nothing to conclude. */
  | { type: 'nothing'; row: QuestionRow }

/**
 * Records what the tool decided about an answer or a timeout: the outcome, the next question, their events and the
 * delivery, all in one transaction, and only under the call's fence.
 */
export function concludeQuestion(
  kernel: CallKernel,
  execution: Execution,
  id: string,
  handled: Handled,
  detached: boolean,
  known?: KnownRows,
): Promise<Concluded> {
  const work = async (tx: Transaction): Promise<Concluded> => {
    const [live, ended, ...rows] = await tx.read(['question', id], ['ended', id], ...callRefs(execution))
    const row = live ?? ended
    if (!row) throw questionGone(id)
    if (!isLive(row)) return { type: 'recorded', row }
    if (row.status !== 'answered' && row.status !== 'timing_out') return { type: 'nothing', row }
    const entered = claimCall(kernel, tx, execution, rows)
    const stopped = stopWaitingFor(entered.run ?? newRun(row.runId), id)
    if ('reprompt' in handled) {
      const next = askAgain(kernel, tx, row, handled.reprompt)
      end(kernel, tx, row, { type: 'reprompt', next: next.id })
      addQuestion(tx, execution, { ...entered, run: stopped }, next)
      return { type: 'reprompted', row: next }
    }
    putRun(tx, row.sessionId, entered.storedRun, stopped)
    if ('pending' in handled) {
      return {
        type: 'recorded',
        row: goOnWithout(kernel, tx, execution, { ...entered, run: stopped }, row, handled, detached),
      }
    }
    const outcome: QuestionOutcome = 'failed' in handled ? { type: 'failed' } : completed(handled)
    const ran = asItRuns(tx, row, outcome)
    tx.committed(() => kernel.calls.keepLatestRows(execution, tx.rowsAfterCommit('ended', id)))
    return { type: 'recorded', row: end(kernel, tx, deliverOutcome(kernel, tx, ran, outcome, detached), outcome) }
  }
  return kernel.transact(execution.partition, work, known)
}

/**
 * Records an outcome in the same transaction that settles the question. Returns false and writes nothing if its call no
 * longer belongs to this execution, or if its run was cancelled. The owner of the call then handles the answer.
 */
export function completeIn(
  kernel: CallKernel,
  tx: Transaction,
  execution: Execution,
  rows: Parameters<typeof claimCall>[3],
  row: QuestionRow,
  handled: Complete,
): QuestionRow | null {
  const [, call, live, idle] = rows
  if (execution.fence === 0 || call?.fence !== execution.fence || isCancelled(live ?? idle)) return null
  return completeEntered(kernel, tx, claimCall(kernel, tx, execution, rows), row, handled)
}

/** Records an outcome in the transaction in which its execution has entered the call. */
export function completeEntered(
  kernel: CallKernel,
  tx: Transaction,
  { run, storedRun }: Entered,
  row: QuestionRow,
  handled: Complete,
): QuestionRow {
  putRun(tx, row.sessionId, storedRun, stopWaitingFor(run ?? newRun(row.runId), row.id))
  const outcome = completed(handled)
  return end(kernel, tx, deliverOutcome(kernel, tx, row, outcome, false), outcome)
}

/**
 * The node that took the answer may not have known the schema that reads edited arguments. The tool continues after
 * this commit, so the record has its arguments before they run.
 */
function asItRuns(tx: Transaction, row: QuestionRow, outcome: QuestionOutcome): QuestionRow {
  const { answer, shortcut, kind } = row
  if (outcome.type !== 'complete' || !shortcut || kind !== 'approval' || answer?.args === undefined) return row
  const { args } = outcome.value as { args?: unknown }
  if (args === undefined || canonicalJson(args) === canonicalJson(answer.args)) return row
  const { row: next, event } = recordArgs(row, answer, args, tx.now)
  tx.event(event)
  return next
}

function completed({ complete }: Complete): QuestionOutcome {
  return { type: 'complete', value: recordable('The result of a question', complete) }
}

/** Writes the end of a question that was answered or timed out. */
function end(kernel: CallKernel, tx: Transaction, row: QuestionRow, outcome: QuestionOutcome): QuestionRow {
  if (outcome.type === 'failed' || row.status === 'timing_out') {
    const reason = outcome.type === 'failed' ? 'failed' : 'expired'
    const message = outcome.type === 'failed' ? 'The tool could not continue with this.' : undefined
    const { row: closed, event } = close(row, reason, outcome, tx.now, message)
    putQuestion(tx, closed)
    tx.event(event)
    reportEnd(kernel, tx, closed)
    return closed
  }
  const concluded = conclude(row, outcome, tx.now)
  putQuestion(tx, concluded)
  reportEnd(kernel, tx, concluded)
  return concluded
}

function reportEnd(kernel: CallKernel, tx: Transaction, row: QuestionRow): void {
  tx.committed(() => reportClosed(kernel, row, tx.now))
}

/** The tool continues and a question stays open: this one after a time-out, or a successor after an answer. */
function goOnWithout(
  kernel: CallKernel,
  tx: Transaction,
  execution: Execution,
  entered: Entered,
  row: QuestionRow,
  { pending: { message, queued = true } }: Extract<Handled, { pending: unknown }>,
  detached: boolean,
): QuestionRow {
  const outcome: QuestionOutcome = { type: 'pending', message, queued }
  const delivered = deliverOutcome(kernel, tx, row, outcome, detached)
  const kept = { ...delivered, pending: { message, queued } }
  if (row.status === 'timing_out') {
    const { row: deferred, event } = defer(kept, tx.now)
    putQuestion(tx, deferred)
    tx.event(event)
    return deferred
  }
  const { answer: _answer, response: _response, delivery: _delivery, ...unanswered } = kept
  const next = successor(kernel, tx, unanswered, wireOf(row.request))
  const { row: deferred, event } = defer(next, tx.now)
  addQuestion(tx, execution, entered, deferred)
  tx.event(event)
  tx.committed(() => kernel.emit({ type: 'asked', ...questionFacts(deferred, tx.now) }))
  return end(kernel, tx, delivered, outcome)
}
