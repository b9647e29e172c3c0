import { testClock } from '@holdpoint/server/testing'
import { expect, test } from 'vitest'
import { pause, systemEnvironment } from './environment.ts'

test('a timer keeps its process alive only on request', () => {
  const environment = systemEnvironment()
  for (const keepAlive of [true, false]) {
    const handle = environment.setTimeout(() => {}, 1e6, keepAlive) as NodeJS.Timeout
    expect(handle.hasRef()).toBe(keepAlive)
    environment.clearTimeout(handle)
  }
})

test('a running timer can be changed to keep the process alive or not, unless the platform’s timers are numbers', () => {
  const environment = systemEnvironment()
  const handle = environment.setTimeout(() => {}, 1e6, true) as NodeJS.Timeout
  expect([environment.keepFor(handle, false), handle.hasRef()]).toEqual([true, false])
  expect([environment.keepFor(handle, true), handle.hasRef()]).toEqual([true, true])
  environment.clearTimeout(handle)
  for (const other of [7, null, {}]) expect(environment.keepFor(other, true)).toBe(false)
})

test('pause() resolves after its time', async () => {
  const clock = testClock()
  let over = false
  void pause({ ...systemEnvironment(), ...clock.environment }, 100).then(() => {
    over = true
  })
  await clock.advance(99)
  expect(over).toBe(false)
  await clock.advance(1)
  expect(over).toBe(true)
})
