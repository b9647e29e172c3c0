import { HoldpointError, isHoldpointError } from '@holdpoint/core'
import type { RefusalOutcome } from '../state/rows.ts'

/**
 * The error of `approve`, `ask` and `connect` without an approval. A tool that does not handle it therefore stops, and
 * cannot delete files.
 *
 * @example
 * try {
 *   await ctx.approve({ prompt: 'Delete 3 files?' })
 * } catch (error) {
 *   if (error instanceof InteractionRefused && error.outcome === 'expired') return 'The question has expired.'
 * }
 */
export class InteractionRefused extends HoldpointError {
  override readonly name = 'InteractionRefused'
  readonly outcome: RefusalOutcome
  /** The reason that the person wrote, if any. */
  readonly reason?: string
  readonly interactionId?: string
  /** An output of the tool in spite of the refusal. It becomes the output of the declined call. */
  readonly output?: unknown

  constructor(
    outcome: RefusalOutcome,
    { output, ...options }: { reason?: string; interactionId?: string; output?: unknown } = {},
  ) {
    super(outcome === 'unavailable' ? 'interaction_unavailable' : 'interaction_refused', sentences[outcome], {
      details: { outcome, ...options },
    })
    if (output !== undefined) this.output = output
    this.outcome = outcome
    if (options.reason !== undefined) this.reason = options.reason
    if (options.interactionId !== undefined) this.interactionId = options.interactionId
  }

  /**
   * Also recognizes errors of another copy of this module: bundlers make one for each route, and a refusal must not be
   * handled as a failure.
   */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return isHoldpointError(value) && value.name === 'InteractionRefused' && 'outcome' in value
  }
}

const sentences: Record<RefusalOutcome, string> = {
  denied: 'The person denied the request. Do not repeat it; say what was not done.',
  declined: 'The person declined to answer. Continue without the answer, or ask for something else.',
  cancelled: 'The question was cancelled before it had an answer that counts. Stop what depended on it.',
  expired: 'The question expired without an answer. Ask again with a longer timeoutMs, or handle it with onTimeout.',
  superseded: 'Another question took the place of this one. Only the newer one counts.',
  unavailable:
    'No client is connected that could answer. Ask in plain text instead, wait with whenUnavailable: "wait", or notify people from hooks.onAsked.',
}
