const TROUBLES = 3
const FIRST_HOLD_MS = 5_000
const LONGEST_HOLD_MS = 5 * 60_000
const LONGEST_ASKED_MS = 24 * 60 * 60_000

/** The latest failures of a recipient. */
export interface Hold {
  /** The number of failures since the last success. */
  troubles: number
  until: number
}

export const NO_HOLD: Hold = { troubles: 0, until: 0 }

/**
 * Returns the state after a failure. The next attempt waits for the time that the provider requests and, after three
 * failures in a row, for a growing time.
 */
export function afterFailure({ troubles, until }: Hold, now: number, retryAfterMs: number): Hold {
  const count = troubles + 1
  const growing = count < TROUBLES ? 0 : Math.min(LONGEST_HOLD_MS, FIRST_HOLD_MS * 2 ** (count - TROUBLES))
  const wait = Math.max(growing, Math.min(retryAfterMs, LONGEST_ASKED_MS))
  return { troubles: count, until: Math.max(until, now + wait) }
}

export const heldForMs = ({ until }: Hold, now: number): number => Math.max(0, until - now)
