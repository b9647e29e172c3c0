import { type Core, reportClosed } from '../kernel/kernel.ts'
import { resumeSoon } from '../kernel/resume-call.ts'
import { callId } from '../records/keys.ts'
import { isLive, putQuestion, readQuestion } from '../records/question-records.ts'
import { putRun } from '../records/run-records.ts'
import type { Tx } from '../records/transaction.ts'
import { close, iso } from '../state/question-steps.ts'
import type { QuestionRow, RunRow } from '../state/rows.ts'
import { isCancelled, newRun, setStatus, stopWaitingFor } from '../state/run-steps.ts'
import { endConnect } from './end-connect.ts'

/** Ends one question. False when it was over already, or was never asked. */
export async function cancelQuestion(core: Core, partition: string, id: string, reason?: string): Promise<boolean> {
  return await core.transact(partition, async (tx) => {
    const row = await readQuestion(tx, id)
    if (!row || !isLive(row)) return false
    const [live, idle] = await tx.read(['run', row.runId], ['idle', row.runId])
    endIn(core, tx, row, 'cancelled', reason)
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
  core: Core,
  partition: string,
  sessionId: string,
  runId: string,
  reason?: string,
  { known = false } = {},
): Promise<'cancelled' | 'already' | 'unknown'> {
  return await core.transact(partition, async (tx) => {
    const [live, idle] = await tx.read(['run', runId], ['idle', runId])
    const run = live ?? idle
    if (isCancelled(run)) return 'already'
    if (known && !run && !(await hasCalls(core, partition, runId))) return 'unknown'
    await cancelRunIn(core, tx, sessionId, runId, reason)
    return run || known ? 'cancelled' : 'unknown'
  })
}

/** A tool that has asked nothing yet has a call and no run. */
async function hasCalls(core: Core, partition: string, runId: string): Promise<boolean> {
  if (core.calls.in(partition).some(({ identity }) => identity.runId === runId)) return true
  const prefix = callId(runId, '')
  const [call] = await core.store.list(partition, 'call', { after: prefix, limit: 1 })
  return call?.id.startsWith(prefix) ?? false
}

export async function cancelRunIn(
  core: Core,
  tx: Tx,
  sessionId: string,
  runId: string,
  reason: string | undefined,
  except?: string,
): Promise<void> {
  const [live, idle] = await tx.read(['run', runId], ['idle', runId])
  const run = live ?? idle
  for (const row of await liveQuestions(core, tx)) {
    if (row.runId === runId && row.id !== except) endIn(core, tx, row, 'cancelled', reason)
  }
  putRun(tx, sessionId, run, setStatus(run ?? newRun(runId), 'cancelled', reason))
  tx.committed(() => {
    for (const execution of core.calls.in(tx.partition)) {
      if (execution.identity.runId === runId) execution.cancel(reason)
    }
  })
}

/** Cancels whatever goes on in a session, in one transaction. Runs that begin later are not concerned. */
export async function cancelSession(core: Core, partition: string, sessionId: string, reason?: string): Promise<void> {
  await core.transact(partition, async (tx) => {
    const runs = new Set<string>()
    for (const row of await liveQuestions(core, tx)) {
      endIn(core, tx, row, 'cancelled', reason)
      runs.add(row.runId)
    }
    for (const row of await core.store.list(partition, 'run'))
      if (core.rows.read('run', row)) runs.add(tx.adopt('run', row).runId)
    const local = core.calls.in(partition)
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
 * The person went on without answering: what waits for an answer is declined. Deferred questions stay, for nothing
 * waits on them; so do answered ones.
 */
export async function declineWaiting(core: Core, partition: string, sessionId: string): Promise<string[]> {
  return await core.transact(partition, async (tx) => {
    const rows = (await liveQuestions(core, tx)).filter(({ status }) => status === 'open' || status === 'timing_out')
    const runs = new Map<string, { before: RunRow | null; after: RunRow }>()
    const calls = new Map<string, QuestionRow>()
    for (const row of rows) {
      endIn(core, tx, row, 'superseded', 'declined')
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

/** Ends a question from outside. An answer that nobody has dealt with yet is void. */
function endIn(core: Core, tx: Tx, row: QuestionRow, status: 'cancelled' | 'superseded', reason?: string): void {
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
    reportClosed(core, ended, tx.now)
    core.waiters.check(tx.partition, row.id)
    if (row.waiter === 'suspended') resumeSoon(core, tx.partition, row)
  })
}

/** All that may still be answered or dealt with in a session. Its limit bounds it. */
async function liveQuestions(core: Core, tx: Tx): Promise<QuestionRow[]> {
  const rows = await core.store.list(tx.partition, 'question')
  return rows.filter((row) => core.rows.read('question', row)).map((row) => tx.adopt('question', row))
}
