import { HoldpointError } from '@holdpoint/core'
import { nextTurn } from '../../base/clock.ts'
import type { Principal } from '../../base/principal.ts'
import type { Incoming } from '../requests/http-request.ts'
import { refuse } from '../requests/refuse.ts'
import { userKey } from '../requests/user-key.ts'

/** The user and the request of a read. */
interface Asker {
  principal: Principal
  incoming: Incoming
}

/** Limits how many reads of each user run at the same time. The next ones wait in order, and the rest are refused. */
export class UserSlots {
  readonly #atOnce: number
  readonly #mayWait: number
  readonly #users = new Map<string, { running: number; waiting: (() => void)[] }>()

  constructor(atOnce: number, mayWait: number) {
    this.#atOnce = atOnce
    this.#mayWait = mayWait
  }

  /**
   * Runs `read` when a slot of this user is free. Throws `rate_limited` if too many of the user's reads wait. A read whose
   * client leaves while it waits does not run.
   */
  async run<T>({ principal, incoming }: Asker, read: () => Promise<T>): Promise<T> {
    const key = userKey(principal)
    const user = this.#users.get(key) ?? { running: 0, waiting: [] }
    this.#users.set(key, user)
    if (user.running < this.#atOnce) user.running++
    else if (user.waiting.length < this.#mayWait) await turn(user.waiting, incoming)
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

/** Waits in the line. Gives the place up when the client leaves. */
function turn(waiting: (() => void)[], incoming: Incoming): Promise<void> {
  return new Promise((resolve, reject) => {
    waiting.push(resolve)
    incoming.onGone(() => {
      const place = waiting.indexOf(resolve)
      if (place < 0) return
      waiting.splice(place, 1)
      reject(new HoldpointError('rate_limited', 'The client left before the read began.'))
    })
  })
}
