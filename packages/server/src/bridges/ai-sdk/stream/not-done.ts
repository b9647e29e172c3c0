import { InteractionRefused } from '../../../engine/api/interaction-refused.ts'
import type { RefusalOutcome } from '../../../engine/state/rows.ts'

/** What the model reads in place of a result when a person did not say yes, or did not say anything yet. */
export interface NotDone {
  holdpoint: RefusalOutcome | 'waiting'
  /** In words for the model. */
  message: string
  /** What the person wrote. */
  reason?: string
}

/**
 * True for the output of a call that was not done: tells a refusal from a result, in jobs and on pages.
 *
 * @example
 * const refused = result.toolResults.filter(({ output }) => isNotDone(output))
 */
export function isNotDone(output: unknown): output is NotDone {
  return typeof output === 'object' && output !== null && 'holdpoint' in output && 'message' in output
}

/** What a tool said itself about not being done, else what is said for it. */
export function outputOf({
  outcome,
  reason,
  output,
}: Pick<InteractionRefused, 'outcome' | 'reason' | 'output'>): unknown {
  if (output !== undefined) return output
  const notDone: NotDone = { holdpoint: outcome, message: sentences[outcome], ...(reason !== undefined && { reason }) }
  return notDone
}

export function stillWaiting(): NotDone {
  return {
    holdpoint: 'waiting',
    message: 'A person was asked and has not answered yet. Do not call the tool again; its result arrives later.',
  }
}

export function refusedBy(error: unknown): InteractionRefused | undefined {
  return error instanceof InteractionRefused ? error : undefined
}

export const sentences: Record<RefusalOutcome, string> = {
  denied: 'The person said no. Nothing was done. Do not ask for the same again.',
  declined: 'The person declined to answer. Nothing was done.',
  cancelled: 'The person cancelled this. Nothing was done.',
  expired: 'Nobody answered in time. Nothing was done.',
  superseded: 'The person went on without answering. Nothing was done.',
  unavailable: 'Nobody is there who could answer. Nothing was done.',
}
