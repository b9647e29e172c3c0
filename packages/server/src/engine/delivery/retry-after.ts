const LONGEST_MS = 24 * 60 * 60_000

/** How long the receiver of a delivery asked to wait, in milliseconds: an error can carry `retryAfterMs`. */
export function retryAfterOf(error: unknown): number {
  const { retryAfterMs } = (error ?? {}) as { retryAfterMs?: unknown }
  return typeof retryAfterMs === 'number' && retryAfterMs > 0 ? Math.min(retryAfterMs, LONGEST_MS) : 0
}
