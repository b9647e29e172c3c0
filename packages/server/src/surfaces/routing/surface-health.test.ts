import { describe, expect, test } from 'vitest'
import { SurfaceHealth } from './surface-health.ts'

const broken = new Error('refused')
const asking = (retryAfterMs: number, rest: object = {}) => Object.assign(new Error('busy'), { retryAfterMs, ...rest })

describe('the health of a surface', () => {
  test('delays a recipient for a growing time after three failures in a row, and not after a success', () => {
    const health = new SurfaceHealth()
    let now = 0
    const waits = Array.from({ length: 12 }, () => {
      health.failed('ada', now, broken)
      const wait = health.heldForMs('ada', now)
      now += wait
      return wait / 1_000
    })
    expect(waits).toEqual([0, 0, 5, 10, 20, 40, 80, 160, 300, 300, 300, 300])
    health.succeeded('ada')
    health.failed('ada', now, broken)
    expect(health.heldForMs('ada', now)).toBe(0)
  })

  test('does not delay a recipient because of another one, however often that one fails', () => {
    const health = new SurfaceHealth()
    for (let n = 0; n < 100; n++) health.failed(n % 2 ? 'ada' : 'bob', n, broken)
    expect(health.heldForMs('carol', 100)).toBe(0)
  })

  test('delays all recipients if three fail without a success in between, for at most a minute', () => {
    const health = new SurfaceHealth()
    let now = 0
    const waits = Array.from({ length: 6 }, (_, round) => {
      for (const user of ['ada', 'bob', 'dan']) health.failed(`${user}-${round}`, now, broken)
      const wait = health.heldForMs('carol', now)
      now += wait
      return wait / 1_000
    })
    expect(waits).toEqual([5, 10, 20, 40, 60, 60])
    health.succeeded('carol')
    for (const user of ['ada', 'bob', 'dan']) health.failed(user, now, broken)
    expect(health.heldForMs('carol', now)).toBe(5_000)
  })

  test('delays all recipients until the time that the provider names, also after a success', () => {
    const health = new SurfaceHealth()
    health.failed('ada', 0, asking(90_000))
    health.succeeded('bob')
    expect(health.heldForMs('carol', 10_000)).toBe(80_000)
  })

  test('delays one recipient only if the named time concerns it, at most a day', () => {
    const health = new SurfaceHealth()
    for (const user of ['ada', 'bob', 'dan']) health.failed(user, 0, asking(1e12, { recipientOnly: true }))
    expect(health.heldForMs('carol', 0)).toBe(0)
    expect(health.heldForMs('ada', 0)).toBe(86_400_000)
  })

  test('limits the number of failing recipients in memory', () => {
    const health = new SurfaceHealth()
    for (let n = 0; n < 5_000; n++) health.failed(`user-${n}`, 0, asking(90_000, { recipientOnly: true }))
    expect([health.heldForMs('user-0', 0), health.heldForMs('user-4999', 0)]).toEqual([0, 90_000])
  })
})
