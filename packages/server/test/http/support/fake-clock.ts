import type { Clock } from '../../../src/base/clock.ts'

/** A clock that the test moves. */
export class FakeClock implements Clock {
  #now = 0
  #serial = 0
  readonly #timers = new Map<number, { at: number; callback: () => void }>()

  now = () => this.#now
  elapsed = () => this.#now
  id = () => `id-${++this.#serial}`

  setTimeout = (callback: () => void, ms: number) => {
    const handle = ++this.#serial
    this.#timers.set(handle, { at: this.#now + ms, callback })
    return handle
  }

  clearTimeout = (handle: unknown) => {
    this.#timers.delete(handle as number)
  }

  get timers(): number {
    return this.#timers.size
  }

  /** Runs what falls due, in order, and lets promises settle after each. */
  async advance(ms: number): Promise<void> {
    const until = this.#now + ms
    for (;;) {
      const [next] = [...this.#timers].filter(([, { at }]) => at <= until).sort(([, a], [, b]) => a.at - b.at)
      if (!next) break
      this.#timers.delete(next[0])
      this.#now = Math.max(this.#now, next[1].at)
      next[1].callback()
      await settle()
    }
    this.#now = until
    await settle()
  }
}

/** Lets everything that waits only for promises continue. */
export const settle = () => new Promise<void>((resolve) => setImmediate(resolve))
