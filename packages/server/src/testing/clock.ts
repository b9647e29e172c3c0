import { milliseconds } from '../base/clock.ts'
import type { Environment } from '../base/environment.ts'

/** A clock that moves only when a test advances it. */
export interface TestClock {
  /** The time for the store: `memoryStore({ now: clock.now })`. */
  readonly now: () => number
  /** The timers for `createHoldpoint({ environment: clock.environment })`. */
  readonly environment: Pick<Environment, 'now' | 'setTimeout' | 'clearTimeout'> & { advance: TestClock['advance'] }
  /**
   * Advances the time by `'10m'`, `'1.5s'`, or milliseconds, and runs the timers that are due on the way in their
   * order.
   */
  advance(time: number | string): Promise<void>
  /** Jumps forward without firing timers in between, as if the machine had slept, and then runs all overdue timers. */
  jump(time: number | string): Promise<void>
  /**
   * Resolves when all work that is due now is done, including hashes. Other threads compute these, and take longer when
   * the machine is busy. `advance` does not wait for them.
   */
  settle(): Promise<void>
  /** The number of pending timers. */
  readonly timers: number
}

/**
 * Creates a clock for tests, with which ten minutes pass in a moment. Timers always fire in the same order.
 *
 * @example
 * const clock = testClock()
 * const holdpoint = createHoldpoint({ store: memoryStore({ now: clock.now }), environment: clock.environment })
 * await clock.advance('10m')
 */
export function testClock({ start = Date.UTC(2030, 0, 1) }: { start?: number } = {}): TestClock {
  let time = start
  let ids = 0
  const timers = new Map<number, { at: number; callback: () => void }>()

  const earliest = (until: number) => {
    const due = [...timers].filter(([, { at }]) => at <= until)
    due.sort(([a, x], [b, y]) => x.at - y.at || a - b)
    return due[0]
  }
  const advance = async (by: number | string) => {
    const until = time + milliseconds(by)
    await settle()
    for (let next = earliest(until); next; next = earliest(until)) {
      const [id, { at, callback }] = next
      timers.delete(id)
      time = Math.max(time, at)
      callback()
      await settle()
    }
    time = until
    await settle()
  }

  return {
    now: () => time,
    environment: {
      now: () => time,
      setTimeout(callback, ms) {
        // Whole milliseconds, as stores count them.
        timers.set(++ids, { at: Math.ceil(time + Math.max(0, ms)), callback })
        return ids
      },
      clearTimeout: (id) => void timers.delete(id as number),
      advance,
    },
    advance,
    async settle() {
      await settle({ hashes: true })
      await advance(0)
    },
    async jump(by) {
      await settle()
      time += milliseconds(by)
      await advance(0)
    },
    get timers() {
      return timers.size
    },
  }
}

/** The number of turns of the event loop after which chained promises are assumed to have resolved. */
const TURNS = 6
async function settle({ hashes = false } = {}): Promise<void> {
  for (let turn = 0; turn < TURNS; turn++) {
    const hashed = hashes ? crypto.subtle.digest('SHA-256', new Uint8Array()) : undefined
    await new Promise<void>((resolve) => setImmediate(resolve))
    await hashed
  }
}
