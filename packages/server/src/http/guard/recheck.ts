import type { Clock } from '../../base/clock.ts'

/** The maximum age of the last check when a message decides something. */
export const FRESH_MS = 2_000

/** Checks again whether the principal of a channel is still logged in, for messages that decide something. */
export class Recheck {
  readonly #clock: Clock
  readonly #reauthenticate: () => Promise<boolean>
  #checkedAt: number
  #checking: Promise<boolean> | undefined

  /** The principal was authenticated when the channel was opened. */
  constructor(clock: Clock, reauthenticate: () => Promise<boolean>) {
    this.#clock = clock
    this.#reauthenticate = reauthenticate
    this.#checkedAt = clock.elapsed()
  }

  /** Returns false if the login is no longer valid. Rejects if the check itself failed. */
  async isLoginValid(): Promise<boolean> {
    if (this.#clock.elapsed() - this.#checkedAt <= FRESH_MS) return true
    this.#checking ??= this.#check().finally(() => {
      this.#checking = undefined
    })
    return this.#checking
  }

  async #check(): Promise<boolean> {
    const at = this.#clock.elapsed()
    const same = await this.#reauthenticate()
    if (same) this.#checkedAt = at
    return same
  }
}
