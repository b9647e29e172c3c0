import { nextTurn } from '../../base/clock.ts'
import type { Principal } from '../../base/principal.ts'
import { refuse } from '../requests/refuse.ts'
import { userKey } from '../requests/user-key.ts'

/** Limits how many reads of each user run at the same time. The next ones wait in order, and the rest are refused. */
export class UserSlots {
  readonly #atOnce: number
  readonly #mayWait: number
  readonly #users = new Map<string, { running: number; waiting: (() => void)[] }>()

  constructor(atOnce: number, mayWait: number) {
    this.#atOnce = atOnce
    this.#mayWait = mayWait
  }

  /** Runs `read` when a slot of this user is free. Throws `rate_limited` if too many of the user's reads wait. */
  async run<T>(principal: Principal, read: () => Promise<T>): Promise<T> {
    const key = userKey(principal)
    const user = this.#users.get(key) ?? { running: 0, waiting: [] }
    this.#users.set(key, user)
    if (user.running < this.#atOnce) user.running++
    else if (user.waiting.length < this.#mayWait) await new Promise<void>((resolve) => user.waiting.push(resolve))
    else refuse('rate_limited', 'Too many reads at once. Wait until some are done.', { retryAfterMs: 1_000 })
    try {
      return await read()
    } finally {
      const next = user.waiting.shift()
      if (next) void nextTurn().then(next)
      else if (--user.running === 0) this.#users.delete(key)
    }
  }

  /** The number of users with reads that run or wait. */
  get size(): number {
    return this.#users.size
  }
}
