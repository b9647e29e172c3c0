import { describe, expect, test } from 'vitest'
import { IDENTITY } from '../../../test/engine/support/bare-kernel.ts'
import type { DeliveryRow } from '../state/rows.ts'
import { HOOK_MS, Places } from './places.ts'

const row = (n: number, content: object) => ({ ...IDENTITY, deliveryId: `d${n}`, ...content }) as DeliveryRow
const message = (n: number, { surface = 'mail', to = `user-${n}` } = {}) =>
  row(n, { type: 'surface_message', surface, to })
const hook = (n: number) => row(n, { type: 'tool_result' })

function places(total = 32) {
  let time = 0
  const all = new Places(() => time, total)
  /** How many of these find a place. */
  const fill = (make: (n: number) => DeliveryRow, first = 0) => {
    let taken = 0
    for (let n = first; n < first + 100; n++) {
      if (!all.isFree(make(n))) continue
      all.take(make(n))
      taken++
    }
    return taken
  }
  const pass = (ms: number) => {
    time += ms
  }
  return { all, fill, pass }
}

describe('the limits of parallel deliveries', () => {
  test('give a quarter to each surface, half to all surfaces, and the rest to hooks', () => {
    const { fill } = places()
    expect(fill((n) => message(n))).toBe(8)
    expect(fill((n) => message(n, { surface: 'slack' }), 100)).toBe(8)
    expect(fill((n) => message(n, { surface: 'push' }), 200)).toBe(0)
    expect(fill(hook, 300)).toBe(16)
  })

  test('give a user half of the places of a surface', () => {
    const { fill } = places()
    expect(fill((n) => message(n, { to: 'ada' }))).toBe(4)
    expect(fill((n) => message(n), 100)).toBe(4)
  })

  test('serve all kinds with a single place', () => {
    const { all, fill } = places(1)
    expect(fill((n) => message(n))).toBe(1)
    expect(all.isFree(hook(7))).toBe(false)
    all.leave(message(0))
    expect(all.isFree(hook(7))).toBe(true)
  })

  test('ignore a hook that hangs after five minutes', () => {
    const { all, fill, pass } = places(2)
    expect([fill(hook), all.room]).toEqual([2, 0])
    pass(HOOK_MS)
    expect([all.room, all.has('d0')]).toEqual([2, true])
  })

  test('keep 16 waiting deliveries due, and delay the others by the speed of their lane, at most a minute', () => {
    const { all, fill, pass } = places()
    fill((n) => message(n))
    const waits = (from: number, rest: object = {}) => {
      const due = new Map<string, number>()
      const rows = Array.from({ length: 116 }, (_, n) => ({ ...message(from + n), ...rest }) as DeliveryRow)
      return rows.map((one) => all.waitMs(one, due)).filter((ms) => ms !== undefined)
    }
    const quick = waits(1_000)
    expect([quick.length, quick[0], quick.at(-1)]).toEqual([100, 2, 32])
    expect(waits(2_000).at(-1), 'behind those that wait already').toBe(63)
    expect(waits(1_000, { waited: true }).at(-1), 'those that have waited do not join the end again').toBe(37)
    pass(30_000)
    const hanging = waits(3_000, { waited: true })
    expect([hanging[0], hanging.at(-1)], 'the duration of calls that hang is their age').toEqual([31_875, 60_000])
    for (let n = 0; n < 8; n++) all.leave(message(n))
    fill((n) => message(n))
    const slow = waits(4_000)
    expect([slow.length, slow.at(-1)]).toEqual([100, 60_000])
  })
})
