import type { Clock } from '../../base/clock.ts'

/** A clock whose timers run, in their order, only when the test advances it. */
export function handClock(start = 0): Clock & { pass(ms: number): void } {
  let now = start
  let due: { at: number; run: () => void }[] = []
  return {
    now: () => now,
    setTimeout(run, ms) {
      const timer = { at: now + ms, run }
      due.push(timer)
      return timer
    },
    clearTimeout(timer) {
      due = due.filter((each) => each !== timer)
    },
    pass(ms) {
      for (const end = now + ms; ; ) {
        const next = due.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0]
        now = next?.at ?? end
        if (!next) return
        due = due.filter((each) => each !== next)
        next.run()
      }
    },
  }
}
