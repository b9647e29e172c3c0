import type { CallKernel } from '../calls/call-kernel.ts'
import { reportClosed } from '../kernel/report.ts'
import { callId } from '../records/keys.ts'
import { putQuestion, readQuestion } from '../records/question-records.ts'
import { changeRun, putRun, readRun } from '../records/run-records.ts'
import type { Transaction } from '../records/transaction.ts'
import { isLive } from '../state/question.ts'
import { iso } from '../state/question-events.ts'
import { endUnanswered } from '../state/question-steps.ts'
import type { QuestionRow, RunRow } from '../state/rows.ts'
import { isCancelled, newRun, setStatus, stopWaitingFor } from '../state/run-steps.ts'

/** Ends one question. Returns false if it had ended already, or was never asked. */
export async function cancelQuestion(
  kernel: CallKernel,
  partition: string,
  id: string,
  reason?: string,
): Promise<boolean> {
  return await kernel.transact(partition, async (tx) => {
    const row = await readQuestion(tx, id)
    if (!row || !isLive(row)) return false
    endIn(kernel, tx, row, 'cancelled', reason)
    await changeRun(tx, row.sessionId, row.runId, (run) => stopWaitingFor(run, row.id))
    return true
  })
}

/**
 * Ends a run and every question of it in one transaction: nothing of it can be answered or asked afterwards. A client may
 * only cancel what is `known`; a run that it made up leaves no trace.
 */
export async function cancelRun(
  kernel: CallKernel,
  partition: string,
  sessionId: string,
  runId: string,
  reason?: string,
  { known = false } = {},
): Promise<'cancelled' | 'already' | 'unknown'> {
  return await kernel.transact(partition, async (tx) => {
    const run = await readRun(tx, runId)
    if (isCancelled(run)) return 'already'
    if (known && !run && !(await hasCalls(kernel, partition, runId))) return 'unknown'
    await cancelRunIn(kernel, tx, sessionId, runId, reason)
    return run || known ? 'cancelled' : 'unknown'
  })
}

/** A tool that has asked nothing yet has a call and no run. */
async function hasCalls(kernel: CallKernel, partition: string, runId: string): Promise<boolean> {
  if (kernel.calls.in(partition).some(({ identity }) => identity.runId === runId)) return true
  const prefix = callId(runId, '')
  const [call] = await kernel.store.list(partition, 'call', { after: prefix, limit: 1 })
  return call?.id.startsWith(prefix) ?? false
}

export async function cancelRunIn(
  kernel: CallKernel,
  tx: Transaction,
  sessionId: string,
  runId: string,
  reason: string | undefined,
  except?: string,
): Promise<void> {
  for (const row of await liveQuestions(kernel, tx)) {
    if (row.runId === runId && row.id !== except) endIn(kernel, tx, row, 'cancelled', reason)
  }
  await changeRun(tx, sessionId, runId, (run) => setStatus(run, 'cancelled', reason))
  tx.committed(() => {
    for (const execution of kernel.calls.in(tx.partition)) {
      if (execution.identity.runId === runId) execution.cancel(reason)
    }
  })
}

/** Cancels all open work of a session in one transaction. Runs that begin later are not affected. */
export async function cancelSession(
  kernel: CallKernel,
  partition: string,
  sessionId: string,
  reason?: string,
): Promise<void> {
  await kernel.transact(partition, async (tx) => {
    const questions = await liveQuestions(kernel, tx)
    const runs = new Set(questions.map(({ runId }) => runId))
    for (const row of await kernel.store.list(partition, 'run'))
      if (kernel.rows.read('run', row)) runs.add(tx.adopt('run', row).runId)
    const local = kernel.calls.in(partition)
    for (const { identity } of local) runs.add(identity.runId)
    // Reading the runs also tells the time at which the questions end.
    const before = new Map<string, RunRow | null>()
    for (const runId of runs) before.set(runId, await readRun(tx, runId))
    for (const row of questions) endIn(kernel, tx, row, 'cancelled', reason)
    for (const [runId, run] of before) {
      putRun(tx, sessionId, run, setStatus(run ?? newRun(runId), 'cancelled', reason))
    }
    tx.committed(() => {
      for (const execution of local) execution.cancel(reason)
    })
  })
}

/**
 * Declines all questions that wait for an answer, because the person continued without answering. Deferred and answered
 * questions stay, and so do the questions of the run that continues. With a `thread`, only runs that a later message of
 * this thread has overtaken lose their questions.
 */
export async function declineWaiting(
  kernel: CallKernel,
  partition: string,
  sessionId: string,
  { except, thread }: { except?: string; thread?: string | undefined } = {},
): Promise<string[]> {
  return await kernel.transact(partition, async (tx) => {
    const waiting = (await liveQuestions(kernel, tx)).filter(
      ({ status, runId }) => (status === 'open' || status === 'timing_out') && runId !== except,
    )
    const rows: QuestionRow[] = []
    const runs = new Map<string, { before: RunRow | null; after: RunRow }>()
    const calls = new Map<string, QuestionRow>()
    for (const row of waiting) {
      const known = runs.get(row.runId)
      const before = known ? known.before : await readRun(tx, row.runId)
      if (thread !== undefined && before?.thread !== thread) continue
      rows.push(row)
      calls.set(row.call, row)
      runs.set(row.runId, { before, after: stopWaitingFor(known?.after ?? before ?? newRun(row.runId), row.id) })
      endIn(kernel, tx, row, 'superseded', 'declined')
    }
    for (const { before, after } of runs.values()) putRun(tx, sessionId, before, after)
    for (const { runId, toolCallId, toolName } of calls.values()) {
      tx.event({
        type: 'tool_call_complete',
        timestamp: iso(tx.now),
        sessionId,
        runId,
        toolCallId,
        toolName,
        status: 'declined',
      })
    }
    return rows.map(({ id }) => id)
  })
}

/** Ends a question from outside. An unhandled answer becomes void. */
function endIn(
  kernel: CallKernel,
  tx: Transaction,
  row: QuestionRow,
  status: 'cancelled' | 'superseded',
  reason?: string,
): void {
  const { row: ended, event } = endUnanswered(row, status, tx.now, reason)
  putQuestion(tx, ended)
  tx.event(event)
  tx.committed(() => {
    reportClosed(kernel, ended, tx.now)
    kernel.wakeWaiters(tx.partition, row.id)
    if (row.waiter === 'suspended') kernel.resumeCall(tx.partition, row.call)
  })
}

/**
 * Returns all questions of a session that can be answered or whose answer is not handled yet. Limits bound their
 * number.
 */
async function liveQuestions(kernel: CallKernel, tx: Transaction): Promise<QuestionRow[]> {
  const rows = await kernel.store.list(tx.partition, 'question')
  return rows.filter((row) => kernel.rows.read('question', row)).map((row) => tx.adopt('question', row))
}
