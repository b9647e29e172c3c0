import { HoldpointError, isHoldpointError } from '@holdpoint/core'
import type { RefusalOutcome } from '../state/rows.ts'

/**
 * The error of `approve`, `ask` and `connect` without an approval. A tool that does not handle it therefore stops, and
 * cannot delete files.
 *
 * @example try { await ctx.approve({ prompt: 'Delete 3 files?' }) } catch (error) { if (error instanceof
 * InteractionRefused && error.outcome === 'expired') return 'Nobody answered.' }
 */
export class InteractionRefused extends HoldpointError {
  override readonly name = 'InteractionRefused'
  readonly outcome: RefusalOutcome
  /** What the person wrote, when they wrote something. */
  readonly reason?: string
  readonly interactionId?: string
  /** What the tool had to say about it nevertheless: becomes the output of the declined call. */
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

  /** Also of another copy of this module: bundlers make one for each route, and a refusal must not turn into a failure. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return isHoldpointError(value) && value.name === 'InteractionRefused' && 'outcome' in value
  }
}

const sentences: Record<RefusalOutcome, string> = {
  denied: 'The person denied the request. Do not repeat it; say what was not done.',
  declined: 'The person declined to answer. Go on without the answer, or ask for something else.',
  cancelled: 'The question was cancelled before it had an answer that counts. Stop what depended on it.',
  expired: 'Nobody answered in time. Ask again with a longer timeoutMs, or handle it with onTimeout.',
  superseded: 'Another question took the place of this one. Only the newer one counts.',
  unavailable:
    'Nobody is connected who could answer. Ask in plain text instead, wait with whenUnavailable: "wait", or notify people from hooks.onAsked.',
}
