/** Limits how many bytes the server holds in memory for each user at the same time. */
export class ByteBudget {
  readonly #perUser: number
  readonly #held = new Map<string, number>()

  constructor(perUser: number) {
    this.#perUser = perUser
  }

  /** Reserves bytes for a user. Returns false, and reserves nothing, if the user would exceed the limit. */
  reserve(user: string, bytes: number): boolean {
    const held = (this.#held.get(user) ?? 0) + bytes
    if (held > this.#perUser) return false
    this.#held.set(user, held)
    return true
  }

  release(user: string, bytes: number): void {
    const held = (this.#held.get(user) ?? 0) - bytes
    if (held > 0) this.#held.set(user, held)
    else this.#held.delete(user)
  }
}
