import type { KnownEvent } from '@holdpoint/core/internal'
import type { RunRow } from '../state/rows.ts'
import { isShown, newRun } from '../state/run-steps.ts'
import type { Transaction } from './transaction.ts'

/** A run, in whichever of its two places it is; null before it asks or the host names it. */
export async function readRun(tx: Transaction, runId: string): Promise<RunRow | null> {
  const [shown, idle] = await tx.read(['run', runId], ['idle', runId])
  return shown ?? idle
}

/** Changes a run by one step, which receives a new run if there is none yet. */
export async function changeRun(
  tx: Transaction,
  sessionId: string,
  runId: string,
  step: (run: RunRow) => RunRow,
): Promise<void> {
  const before = await readRun(tx, runId)
  putRun(tx, sessionId, before, step(before ?? newRun(runId)))
}

/** Writes a run to its partition, and appends an event if its status changed. Both places must have been read. */
export function putRun(tx: Transaction, sessionId: string, before: RunRow | null, after: RunRow): void {
  const kind = isShown(after) ? 'run' : 'idle'
  tx.put(kind, after.runId, after, { due: kind === 'idle' ? tx.keepUntil : null })
  tx.delete(kind === 'run' ? 'idle' : 'run', after.runId)
  if (before?.status !== after.status) tx.event(runStatusEvent(sessionId, after, tx.now))
}

function runStatusEvent(sessionId: string, run: RunRow, now: number): KnownEvent {
  return {
    type: 'run_status',
    timestamp: new Date(now).toISOString(),
    sessionId,
    runId: run.runId,
    status: run.status,
    ...(run.reason !== undefined && { reason: run.reason }),
  }
}
