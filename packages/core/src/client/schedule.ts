import type { Environment } from '../transport/types.ts'
import { NEVER } from './connection.ts'

/** All waits of one client behind one timer of the platform. */
export interface Schedule {
  /** Calls back once after the delay. Returns a cancel function. */
  after(ms: number, callback: () => void): () => void
  /** Calls all callbacks now, so that no caller waits for a closed client. */
  flush(): void
}

/** Longer delays overflow in every platform and fire at once. */
const MAX_DELAY_MS = 2 ** 31 - 1

export function createSchedule(env: Environment): Schedule {
  const entries = new Set<{ at: number; callback: () => void }>()
  let timer: unknown
  let armedFor = NEVER

  const arm = () => {
    let next = NEVER
    for (const { at } of entries) next = Math.min(next, at)
    if (next === armedFor) return
    armedFor = next
    env.clearTimeout(timer)
    if (next === NEVER) return
    const delay = next - env.now()
    // The delay has passed even if the clock was set back in between, unless the delay had to be shortened.
    timer = env.setTimeout(() => run(delay > MAX_DELAY_MS ? 0 : next), Math.min(Math.max(0, delay), MAX_DELAY_MS))
  }
  const run = (reached: number) => {
    env.clearTimeout(timer)
    armedFor = NEVER
    const until = Math.max(reached, env.now())
    for (const entry of [...entries]) if (entry.at <= until && entries.delete(entry)) entry.callback()
    arm()
  }
  return {
    after(ms, callback) {
      const entry = { at: env.now() + ms, callback }
      entries.add(entry)
      arm()
      return () => {
        entries.delete(entry)
        arm()
      }
    },
    flush: () => run(NEVER),
  }
}
