import { browserEnvironment } from '../../client/api/environment.ts'
import type { ClientEnvironment, SurroundingsEvent } from '../../client/api/types.ts'

/** A clock that a test moves, and an environment whose events a test triggers. */
export function manualEnvironment(start = 1_800_000_000_000) {
  let now = start
  let timers: { at: number; callback: () => void }[] = []
  const watchers = new Set<(event: SurroundingsEvent) => void>()
  let ids = 0
  const env: ClientEnvironment = {
    ...browserEnvironment(),
    now: () => now,
    setTimeout(callback, ms) {
      const timer = { at: now + ms, callback }
      timers.push(timer)
      return timer
    },
    clearTimeout(handle) {
      timers = timers.filter((timer) => timer !== handle)
    },
    random: () => 0.5,
    id: () => `id${++ids}`,
    surroundings: {
      online: () => true,
      hidden: () => false,
      watch(changed) {
        watchers.add(changed)
        return () => watchers.delete(changed)
      },
    },
  }
  const settle = async () => {
    for (let n = 0; n < 50; n++) await Promise.resolve()
  }
  return {
    env,
    settle,
    /** Advances the time and fires due timers in order. */
    async advance(ms: number) {
      const until = now + ms
      await settle()
      for (;;) {
        const next = timers.filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)[0]
        if (!next) break
        timers = timers.filter((timer) => timer !== next)
        now = Math.max(now, next.at)
        next.callback()
        await settle()
      }
      now = until
      await settle()
    },
    /** The machine sleeps: the clock advances, timers do not fire. */
    sleep(ms: number) {
      now += ms
      timers = timers.map((timer) => ({ ...timer, at: timer.at + ms }))
    },
    happen(event: SurroundingsEvent) {
      for (const watcher of watchers) watcher(event)
    },
    pendingTimers: () => timers.length,
  }
}
