const TROUBLES = 3
const FIRST_HOLD_MS = 5_000
const LONGEST_HOLD_MS = 5 * 60_000
const LONGEST_ASKED_MS = 24 * 60 * 60_000

/** How a surface does: what is decided from it depends on nothing else. */
export interface Hold {
  /** Failures without a success in between. */
  troubles: number
  until: number
}

export const NO_HOLD: Hold = { troubles: 0, until: 0 }

/**
 * After a failure. A provider that names a time is left alone until then; one that fails three times in a row is left
 * alone for a growing time, so that its messages do not take the places of other deliveries.
 */
export function afterFailure({ troubles, until }: Hold, now: number, retryAfterMs: number): Hold {
  const count = troubles + 1
  const growing = count < TROUBLES ? 0 : Math.min(LONGEST_HOLD_MS, FIRST_HOLD_MS * 2 ** (count - TROUBLES))
  const wait = Math.max(growing, Math.min(retryAfterMs, LONGEST_ASKED_MS))
  return { troubles: count, until: Math.max(until, now + wait) }
}

/** After a success. The provider may have asked to wait in its answer to another message. */
export const afterSuccess = ({ until }: Hold): Hold => ({ troubles: 0, until })

export const heldForMs = ({ until }: Hold, now: number): number => Math.max(0, until - now)
