import { InteractionRefused } from '../../engine/api/interaction-refused.ts'

/** The model reads this in place of a result when a person declined or has not answered yet. */
export interface ToolNotRun {
  holdpoint: InteractionRefused['outcome'] | 'waiting'
  /** The reason in words, for the model. */
  message: string
  /** The reason that the person wrote. */
  reason?: string
}

/**
 * Returns true for the output of a call that was not carried out. Distinguishes it from a result, in jobs and on pages.
 *
 * @example const refused = result.toolResults.filter(({ output }) => isToolNotRun(output))
 */
export function isToolNotRun(output: unknown): output is ToolNotRun {
  return typeof output === 'object' && output !== null && 'holdpoint' in output && 'message' in output
}

/** Returns the output of a call that was not carried out, with the tool's own text or the default. */
export function outputOf({
  outcome,
  reason,
  output,
}: Pick<InteractionRefused, 'outcome' | 'reason' | 'output'>): unknown {
  if (output !== undefined) return output
  const notDone: ToolNotRun = {
    holdpoint: outcome,
    message: sentences[outcome],
    ...(reason !== undefined && { reason }),
  }
  return notDone
}

export function stillWaiting(): ToolNotRun {
  return {
    holdpoint: 'waiting',
    message: 'A person was asked and has not answered yet. Do not call the tool again; its result arrives later.',
  }
}

export function refusedBy(error: unknown): InteractionRefused | undefined {
  return error instanceof InteractionRefused ? error : undefined
}

export const sentences: Record<InteractionRefused['outcome'], string> = {
  denied: 'The user denied the request. Nothing was done. Do not ask for the same again.',
  declined: 'The person declined to answer. Nothing was done.',
  cancelled: 'The person cancelled this. Nothing was done.',
  expired: 'The user did not answer in time. Nothing was done.',
  superseded: 'The user continued without answering. Nothing was done.',
  unavailable: 'No user is connected who could answer. Nothing was done.',
}
