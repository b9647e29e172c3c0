import type { RunStatus } from '@holdpoint/core/internal'
import { kinds } from './kinds.ts'
import type { QuestionKind, RunRow } from './rows.ts'

const over: readonly RunStatus[] = ['completed', 'cancelled', 'error']

export const newRun = (runId: string): RunRow => ({ runId, status: 'running', waiting: {} })

/** Cancelled is final: nothing that comes later may wake the run. */
export const isCancelled = (run: RunRow | null): boolean => run?.status === 'cancelled'

export function waitFor(run: RunRow, interactionId: string, kind: QuestionKind): RunRow {
  return follow({ ...run, waiting: { ...run.waiting, [interactionId]: kind } })
}

export function stopWaitingFor(run: RunRow, interactionId: string): RunRow {
  const { [interactionId]: _gone, ...waiting } = run.waiting
  return follow({ ...run, waiting })
}

/**
 * Sets the status that the host emitted, or that follows from a cancellation. A run that waits keeps the status of its
 * wait.
 */
export function setStatus(run: RunRow, status: RunStatus, reason?: string): RunRow {
  if (isCancelled(run)) return run
  const { reason: _old, ...rest } = run
  return { ...rest, status, ...(reason !== undefined && { reason }), ...(over.includes(status) && { waiting: {} }) }
}

/** A later message began another turn. The run keeps its status; it only loses the right to ask. */
export function overtaken(run: RunRow, thread?: string): RunRow {
  return isCancelled(run) ? run : { ...run, overtaken: true, ...(thread !== undefined && { thread }) }
}

/** It is the session's turn again. */
export function retaken({ overtaken: _before, thread: _its, ...run }: RunRow): RunRow {
  return run
}

/** Whether a snapshot shows it. */
export const isShown = ({ status }: RunRow): boolean => status.startsWith('awaiting_') || status === 'paused'

function follow(run: RunRow): RunRow {
  if (over.includes(run.status) && Object.keys(run.waiting).length === 0) return run
  const waiting = Object.values(run.waiting)
  const kind = (Object.keys(kinds) as QuestionKind[]).find((one) => waiting.includes(one))
  if (kind) return { ...run, status: kinds[kind].runStatus }
  return run.status.startsWith('awaiting_') ? { ...run, status: 'running' } : run
}
