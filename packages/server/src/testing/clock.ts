import { milliseconds } from '../base/clock.ts'
import type { Environment } from '../base/environment.ts'

/** A clock that moves only when a test advances it. */
export interface TestClock {
  /** For the store: `memoryStore({ now: clock.now })`. */
  readonly now: () => number
  /** For `createHoldpoint({ environment: clock.environment })`. */
  readonly environment: Pick<Environment, 'now' | 'setTimeout' | 'clearTimeout'> & { advance: TestClock['advance'] }
  /** Lets time pass, with everything that is due on the way: `'10m'`, `'1.5s'`, or milliseconds. */
  advance(time: number | string): Promise<void>
  /** The machine slept, or its clock was set: no timer fired in between, and overdue work is due now. */
  jump(time: number | string): Promise<void>
  /** Resolves when everything that is due now has been done. */
  settle(): Promise<void>
  /** Timers that wait. */
  readonly timers: number
}

/**
 * A clock for tests: ten minutes pass in a moment, and in the same order every time.
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
    settle: () => advance(0),
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

/** Turns of the event loop in which chained promises resolve. */
const TURNS = 6
async function settle(): Promise<void> {
  for (let turn = 0; turn < TURNS; turn++) await new Promise<void>((resolve) => setImmediate(resolve))
}
