import type { ClientEnvironment } from '../client/types.ts'

/** So often a timer looks at the clock: timers stand still while a machine sleeps, the clock does not. */
const WAKE_CHECK_MS = 30_000

/**
 * Looks after the tokens when they are due, and at once when the machine or the page wakes up. `look` says when they
 * are due next.
 */
export function keepFresh(env: ClientEnvironment, look: () => number): () => void {
  let timer: unknown
  const tick = () => {
    env.clearTimeout(timer)
    const due = look() - env.now()
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
