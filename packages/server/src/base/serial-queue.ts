/** Runs tasks of the same name one after the other, and tasks of different names concurrently. */
export class SerialQueue {
  /** Undefined while nothing runs, to save memory: there is one queue for each of many waiting calls. */
  private tails: Map<string, Promise<unknown>> | undefined

  /** Resolves when all tasks that were started before have ended. */
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
