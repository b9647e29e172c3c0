import type { Clock } from '../../base/clock.ts'

export interface RateLimit {
  /** Requests that may come at once. */
  burst: number
  /** Requests that are given back each second. */
  perSecond: number
}

/** A token bucket for each key. Buckets that are full again are nothing, and are forgotten. */
export class RateLimiter {
  readonly #limit: RateLimit
  readonly #clock: Clock
  readonly #buckets = new Map<string, { tokens: number; at: number }>()

  constructor(limit: RateLimit, clock: Clock) {
    this.#limit = limit
    this.#clock = clock
  }

  /** Takes one; 0 when it was there, else whole milliseconds until it will be. */
  take(key: string): number {
    const { burst, perSecond } = this.#limit
    const now = this.#clock.elapsed()
    const known = this.#buckets.get(key) ?? { tokens: burst, at: now }
    const tokens = Math.min(burst, known.tokens + ((now - known.at) / 1000) * perSecond)
    const taken = tokens >= 1
    // Put last again, so that the Map stays ordered by time.
    this.#buckets.delete(key)
    this.#buckets.set(key, { tokens: taken ? tokens - 1 : tokens, at: now })
    this.#forgetFull(now)
    return taken ? 0 : Math.ceil(((1 - tokens) / perSecond) * 1000)
  }

  get size(): number {
    return this.#buckets.size
  }

  /** Looks at the two oldest only: each call forgets more than it adds. */
  #forgetFull(now: number): void {
    const { burst, perSecond } = this.#limit
    let looked = 0
    for (const [key, bucket] of this.#buckets) {
      if (++looked > 2 || bucket.tokens + ((now - bucket.at) / 1000) * perSecond < burst) return
      this.#buckets.delete(key)
    }
  }
}
