import { expect, test, vi } from 'vitest'
import { virtualEnvironment } from '../../test/support/virtual-environment.ts'
import { createSchedule } from './schedule.ts'

test('many waits share one timer, and each callback is called once, at its time', async () => {
  const { env, timers, advance } = virtualEnvironment()
  const schedule = createSchedule(env)
  const called: number[] = []
  for (const ms of [300, 100, 200, 100]) schedule.after(ms, () => called.push(ms))
  const away = schedule.after(150, () => called.push(150))
  expect(timers.size).toBe(1)
  away()
  away()
  await advance(250)
  expect(called).toEqual([100, 100, 200])
  await advance(1_000)
  expect(called).toEqual([100, 100, 200, 300])
  expect(timers.size).toBe(0)
})

test('a wait that is longer than the platform’s longest timer is waited for in full', async () => {
  const { env, advance } = virtualEnvironment()
  const month = 31 * 86_400_000
  const callback = vi.fn()
  createSchedule(env).after(month, callback)
  await advance(month - 1)
  expect(callback).not.toHaveBeenCalled()
  await advance(1)
  expect(callback).toHaveBeenCalledTimes(1)
})

test.each([
  ['a second', 1_000],
  ['the longest delay of the platform', 2 ** 31 - 1],
])('a clock that is set back does not extend a wait of %s', async (_name, ms) => {
  const { env, advance, jump } = virtualEnvironment()
  const callback = vi.fn()
  createSchedule(env).after(ms, callback)
  jump(-86_400_000)
  await advance(ms)
  expect(callback).toHaveBeenCalledTimes(1)
})

test('an infinite wait needs no timer, and flush calls it back', () => {
  const { env, timers } = virtualEnvironment()
  const schedule = createSchedule(env)
  const callback = vi.fn()
  schedule.after(Number.POSITIVE_INFINITY, callback)
  schedule.after(5_000, callback)
  schedule.flush()
  expect(callback).toHaveBeenCalledTimes(2)
  expect(timers.size).toBe(0)
})

test('a wait that is already due uses a delay of 0, because platforms warn of negative delays', () => {
  const { env } = virtualEnvironment()
  const delays: number[] = []
  const setTimeout = (callback: () => void, ms: number) => {
    delays.push(ms)
    return env.setTimeout(callback, ms)
  }
  createSchedule({ ...env, setTimeout }).after(-5, () => {})
  expect(delays).toEqual([0])
})
