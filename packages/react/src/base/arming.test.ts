import { describe, expect, test } from 'vitest'
import { createArming } from './arming.ts'

/** A clock that is turned by hand. */
function handClock() {
  let time = 0
  let next = 0
  const timers = new Map<number, { at: number; run: () => void }>()
  return {
    now: () => time,
    setTimeout(run: () => void, ms: number) {
      next += 1
      timers.set(next, { at: time + ms, run })
      return next
    },
    clearTimeout: (handle: unknown) => void timers.delete(handle as number),
    pass(ms: number) {
      const end = time + ms
      for (;;) {
        const due = [...timers].filter(([, { at }]) => at <= end).sort(([, a], [, b]) => a.at - b.at)[0]
        if (!due) break
        timers.delete(due[0])
        time = due[1].at
        due[1].run()
      }
      time = end
    },
    running: () => timers.size,
  }
}

function button() {
  const clock = handClock()
  const at = { x: 100, y: 100 }
  const changes: boolean[] = []
  const arming = createArming({ clock, place: () => ({ ...at }), onChange: (armed) => changes.push(armed) })
  return { clock, at, changes, arming }
}

describe('the arming of a button', () => {
  test('takes half a second in view', () => {
    const { clock, arming } = button()
    expect(arming.permits()).toBe(false)
    arming.seen(true)
    clock.pass(499)
    expect(arming.permits()).toBe(false)
    clock.pass(1)
    expect(arming.permits()).toBe(true)
  })

  test('takes half a second again after the page was hidden', () => {
    const { clock, arming } = button()
    arming.seen(true)
    clock.pass(600)
    arming.seen(false)
    expect(arming.permits()).toBe(false)
    clock.pass(10_000)
    arming.seen(true)
    expect(arming.permits()).toBe(false)
    clock.pass(500)
    expect(arming.permits()).toBe(true)
  })

  test('is lost at once when the button moved more than 8 pixels, also between two checks', () => {
    const { clock, at, arming } = button()
    arming.seen(true)
    clock.pass(600)
    at.y += 9
    expect(arming.permits()).toBe(false)
    clock.pass(299)
    expect(arming.permits()).toBe(false)
    clock.pass(1)
    expect(arming.permits()).toBe(true)
  })

  test('is kept while streaming text moves the button by a few pixels [C5.3]', () => {
    const { clock, at, changes, arming } = button()
    arming.seen(true)
    clock.pass(600)
    for (let n = 0; n < 50; n++) {
      at.y = 100 + (n % 2) * 7
      clock.pass(50)
    }
    expect(changes).toEqual([true])
    expect(arming.permits()).toBe(true)
  })

  test('is lost by slow movement, because the distance is measured from the first position', () => {
    const { clock, at, arming } = button()
    arming.seen(true)
    clock.pass(600)
    for (let n = 0; n < 12; n++) {
      at.y += 1
      clock.pass(10)
    }
    expect(arming.permits()).toBe(false)
  })

  test('leaves no timer after it ends', () => {
    const { clock, arming } = button()
    arming.seen(true)
    clock.pass(200)
    arming.stop()
    expect(clock.running()).toBe(0)
  })
})
