/** Runs work of one name one after the other, of different names side by side. */
export class SerialQueue {
  /** None while nothing runs: there may be one of these for each of many calls that wait. */
  private tails: Map<string, Promise<unknown>> | undefined

  /** Resolves once nothing is running that was begun before. */
  async idle(): Promise<void> {
    await Promise.allSettled(this.tails?.values() ?? [])
  }

  async run<T>(name: string, work: () => Promise<T>): Promise<T> {
    this.tails ??= new Map()
    const { tails } = this
    const before = tails.get(name)
    const mine = before ? before.then(work, work) : work()
    tails.set(name, mine)
    try {
      return await mine
    } finally {
      if (tails.get(name) === mine) tails.delete(name)
      if (tails.size === 0 && this.tails === tails) this.tails = undefined
    }
  }
}
