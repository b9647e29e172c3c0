import type { CallKernel } from '../calls/call-kernel.ts'
import { reportClosed } from '../kernel/report.ts'
import { callId } from '../records/keys.ts'
import { putQuestion, readQuestion } from '../records/question-records.ts'
import { putRun } from '../records/run-records.ts'
import type { Transaction } from '../records/transaction.ts'
import { isLive } from '../state/question.ts'
import { close, iso } from '../state/question-steps.ts'
import type { QuestionRow, RunRow } from '../state/rows.ts'
import { isCancelled, newRun, setStatus, stopWaitingFor } from '../state/run-steps.ts'
import { endConnect } from './end-connect.ts'

/** Ends one question. False when it was over already, or was never asked. */
export async function cancelQuestion(
  kernel: CallKernel,
  partition: string,
  id: string,
  reason?: string,
): Promise<boolean> {
  return await kernel.transact(partition, async (tx) => {
    const row = await readQuestion(tx, id)
    if (!row || !isLive(row)) return false
    const [live, idle] = await tx.read(['run', row.runId], ['idle', row.runId])
    endIn(kernel, tx, row, 'cancelled', reason)
    const run = live ?? idle
    putRun(tx, row.sessionId, run, stopWaitingFor(run ?? newRun(row.runId), row.id))
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
    const [live, idle] = await tx.read(['run', runId], ['idle', runId])
    const run = live ?? idle
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
  const [live, idle] = await tx.read(['run', runId], ['idle', runId])
  const run = live ?? idle
  for (const row of await liveQuestions(kernel, tx)) {
    if (row.runId === runId && row.id !== except) endIn(kernel, tx, row, 'cancelled', reason)
  }
  putRun(tx, sessionId, run, setStatus(run ?? newRun(runId), 'cancelled', reason))
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
    const runs = new Set<string>()
    for (const row of await liveQuestions(kernel, tx)) {
      endIn(kernel, tx, row, 'cancelled', reason)
      runs.add(row.runId)
    }
    for (const row of await kernel.store.list(partition, 'run'))
      if (kernel.rows.read('run', row)) runs.add(tx.adopt('run', row).runId)
    const local = kernel.calls.in(partition)
    for (const { identity } of local) runs.add(identity.runId)
    for (const runId of runs) {
      const [live, idle] = await tx.read(['run', runId], ['idle', runId])
      const run = live ?? idle
      putRun(tx, sessionId, run, setStatus(run ?? newRun(runId), 'cancelled', reason))
    }
    tx.committed(() => {
      for (const execution of local) execution.cancel(reason)
    })
  })
}

/**
 * The person continued without answering: what waits for an answer is declined. Deferred questions stay, for nothing
 * waits on them; so do answered ones, and those of the run that goes on.
 */
export async function declineWaiting(
  kernel: CallKernel,
  partition: string,
  sessionId: string,
  exceptRun?: string,
): Promise<string[]> {
  return await kernel.transact(partition, async (tx) => {
    const rows = (await liveQuestions(kernel, tx)).filter(
      ({ status, runId }) => (status === 'open' || status === 'timing_out') && runId !== exceptRun,
    )
    const runs = new Map<string, { before: RunRow | null; after: RunRow }>()
    const calls = new Map<string, QuestionRow>()
    for (const row of rows) {
      endIn(kernel, tx, row, 'superseded', 'declined')
      calls.set(row.call, row)
      const known = runs.get(row.runId)
      if (known) known.after = stopWaitingFor(known.after, row.id)
      else {
        const [live, idle] = await tx.read(['run', row.runId], ['idle', row.runId])
        const before = live ?? idle
        runs.set(row.runId, { before, after: stopWaitingFor(before ?? newRun(row.runId), row.id) })
      }
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
  const outcome = { type: 'refused' as const, outcome: status, ...(reason !== undefined && { reason }) }
  let ended: QuestionRow
  if (row.kind === 'connect') ended = endConnect(tx, row, status, reason ?? status)
  else {
    const closed = close(row, status, outcome, tx.now)
    putQuestion(tx, closed.row)
    tx.event(closed.event)
    ended = closed.row
  }
  tx.committed(() => {
    reportClosed(kernel, ended, tx.now)
    kernel.wakeWaiters(tx.partition, row.id)
    if (row.waiter === 'suspended') kernel.resumeCall(tx.partition, row.call)
  })
}

/** All that may still be answered or dealt with in a session. Its limit bounds it. */
async function liveQuestions(kernel: CallKernel, tx: Transaction): Promise<QuestionRow[]> {
  const rows = await kernel.store.list(tx.partition, 'question')
  return rows.filter((row) => kernel.rows.read('question', row)).map((row) => tx.adopt('question', row))
}
