import type { Clock } from '../../base/clock.ts'

export interface RateLimit {
  /** The number of requests that may arrive at once. */
  burst: number
  /** The number of requests that are refilled each second. */
  perSecond: number
}

/** A token bucket for each key. A bucket that is full again equals a new one, so it is deleted. */
export class RateLimiter {
  readonly #limit: RateLimit
  readonly #clock: Clock
  readonly #buckets = new Map<string, { tokens: number; at: number }>()

  constructor(limit: RateLimit, clock: Clock) {
    this.#limit = limit
    this.#clock = clock
  }

  /** Takes one token and returns 0, or returns the milliseconds until the next token is available. */
  take(key: string): number {
    const { burst, perSecond } = this.#limit
    const now = this.#clock.elapsed()
    const known = this.#buckets.get(key) ?? { tokens: burst, at: now }
    const tokens = Math.min(burst, known.tokens + ((now - known.at) / 1000) * perSecond)
    const taken = tokens >= 1
    // Moves the bucket to the end, so that the Map stays ordered by last use.
    this.#buckets.delete(key)
    this.#buckets.set(key, { tokens: taken ? tokens - 1 : tokens, at: now })
    this.#forgetFull(now)
    return taken ? 0 : Math.ceil(((1 - tokens) / perSecond) * 1000)
  }

  get size(): number {
    return this.#buckets.size
  }

  /** Checks only the two oldest buckets. This is enough, because each call adds at most one. */
  #forgetFull(now: number): void {
    const { burst, perSecond } = this.#limit
    let looked = 0
    for (const [key, bucket] of this.#buckets) {
      if (++looked > 2 || bucket.tokens + ((now - bucket.at) / 1000) * perSecond < burst) return
      this.#buckets.delete(key)
    }
  }
}
