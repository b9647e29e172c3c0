import type { DeliveryRow } from '../state/rows.ts'

const LONGEST_MS = 24 * 60 * 60_000

/** Returned by a delivery that is not to be made yet. It is made again later, and this attempt does not count. */
export class Later {
  readonly ms: number
  /** The rest of a delivery of which a part was made. */
  readonly rest: DeliveryRow | undefined
  constructor(ms: number, rest?: DeliveryRow) {
    this.ms = ms
    this.rest = rest
  }
}

/** How long the receiver of a delivery asked to wait, in milliseconds: an error can carry `retryAfterMs`. */
export function retryAfterOf(error: unknown): number {
  const { retryAfterMs } = (error ?? {}) as { retryAfterMs?: unknown }
  return typeof retryAfterMs === 'number' && retryAfterMs > 0 ? Math.min(retryAfterMs, LONGEST_MS) : 0
}
