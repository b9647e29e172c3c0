import type { ClientEnvironment, SurroundingsEvent } from '../../src/client/api/types.ts'
import { time } from './log.ts'

/** Time, randomness and a page that a test controls. */
export function virtualEnvironment() {
  let now = time
  let shift = 0
  let ids = 0
  let armed = 0
  let chance = 0.5
  let online = true
  let hidden = false
  const timers = new Map<number, { at: number; callback: () => void }>()
  const watchers = new Set<(event: SurroundingsEvent) => void>()

  const env: ClientEnvironment = {
    now: () => now + shift,
    setTimeout(callback, ms) {
      if (!(ms <= 2 ** 31 - 1)) throw new Error(`a timer of ${ms} ms fires at once`)
      armed++
      timers.set(++ids, { at: now + Math.max(0, ms), callback })
      return ids
    },
    clearTimeout: (handle) => void timers.delete(handle as number),
    random: () => chance,
    id: () => `id-${++ids}`,
    fetch: () => Promise.reject(new Error('no network in this test')),
    surroundings: {
      online: () => online,
      hidden: () => hidden,
      watch(changed) {
        watchers.add(changed)
        return () => void watchers.delete(changed)
      },
    },
  }
  return {
    env,
    timers,
    watchers,
    /** How often a timer was set. */
    armed: () => armed,
    /** Lets everything that is due run, in order, with the promises between. */
    async advance(ms: number) {
      const until = now + ms
      await settle()
      for (;;) {
        const [next] = [...timers].filter(([, { at }]) => at <= until).sort((a, b) => a[1].at - b[1].at)
        if (!next) break
        now = Math.max(now, next[1].at)
        timers.delete(next[0])
        next[1].callback()
        await settle()
      }
      now = until
    },
    /** The clock is set, and no time has passed. */
    jump(ms: number) {
      shift += ms
    },
    chance(value: number) {
      chance = value
    },
    happen(event: SurroundingsEvent) {
      if (event === 'online' || event === 'offline') online = event === 'online'
      if (event === 'visible' || event === 'hidden') hidden = event === 'hidden'
      for (const watcher of [...watchers]) watcher(event)
    },
  }
}

export async function settle() {
  for (let i = 0; i < 40; i++) await Promise.resolve()
}
