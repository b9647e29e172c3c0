import type { KnownEvent } from '@holdpoint/core/protocol'
import type { RunRow } from '../state/rows.ts'
import { isShown } from '../state/run-steps.ts'
import type { Transaction } from './transaction.ts'

/** Writes a run where it belongs now, and says so in the log when its status changed. Both places must have been read. */
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
