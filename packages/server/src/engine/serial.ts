/** Runs work of one name one after the other, of different names side by side. */
export class Serial {
  private readonly tails = new Map<string, Promise<unknown>>()

  /** Resolves once nothing is running that was begun before. */
  async idle(): Promise<void> {
    await Promise.allSettled(this.tails.values())
  }

  async run<T>(name: string, work: () => Promise<T>): Promise<T> {
    const before = this.tails.get(name)
    const mine = before ? before.then(work, work) : work()
    this.tails.set(name, mine)
    try {
      return await mine
    } finally {
      if (this.tails.get(name) === mine) this.tails.delete(name)
    }
  }
}
