import type { ClientEnvironment } from '../client/api/types.ts'

/** A timer checks the clock at this interval, because timers stop while a machine sleeps. */
const WAKE_CHECK_MS = 30_000

/**
 * Refreshes tokens when they are due, and checks at once when the machine or the page wakes up. `refreshIfDue` returns the next
 * due time.
 */
export function keepFresh(env: ClientEnvironment, refreshIfDue: () => number): () => void {
  let timer: unknown
  const tick = () => {
    env.clearTimeout(timer)
    const due = refreshIfDue() - env.now()
    timer = env.setTimeout(tick, Math.min(Math.max(due, 1_000), WAKE_CHECK_MS))
  }
  const away = env.surroundings.watch((event) => {
    if (event === 'online' || event === 'visible' || event === 'thawed') tick()
  })
  tick()
  return () => {
    env.clearTimeout(timer)
    away()
  }
}
