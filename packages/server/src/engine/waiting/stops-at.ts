import { HoldpointError } from '@holdpoint/core'
import type { Execution } from '../calls/execution.ts'

/**
 * Ends an execution that does not wait for an open question: a gate rejects, and a suspended tool stops. Returns false if
 * the execution waits.
 */
export function stopsAt(execution: Execution, interactionId: string, reject: (error: unknown) => void): boolean {
  if (execution.waiter === 'gate') {
    reject(interactionWaiting(interactionId))
    return true
  }
  // Where waiting means ending, nothing comes after this: the promise stays as it is.
  execution.onSuspend?.(interactionId)
  return execution.onSuspend !== undefined
}

/** The error of a gate whose question is not answered yet. */
function interactionWaiting(interactionId: string): HoldpointError {
  return new HoldpointError(
    'interaction_waiting',
    'The question is open and this call does not wait for it. Ask again in the same way once it is settled.',
    { details: { interactionId } },
  )
}
