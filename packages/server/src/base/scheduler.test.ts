import { expect, onTestFinished, test } from 'vitest'
import { type Environment, systemEnvironment } from './environment.ts'
import { Scheduler } from './scheduler.ts'

/** A scheduler with a job in the distant future, and its timers with their keep-alive setting. */
function world(keepFor?: Environment['keepFor']) {
  const system = systemEnvironment()
  const timers: { handle: NodeJS.Timeout; keepAlive: boolean }[] = []
  const environment: Environment = {
    ...system,
    setTimeout(callback, ms, keepAlive) {
      const handle = system.setTimeout(callback, ms, keepAlive) as NodeJS.Timeout
      timers.push({ handle, keepAlive })
      return handle
    },
    ...(keepFor && { keepFor }),
  }
  const alarm = new Scheduler(environment, undefined, () => {})
  onTestFinished(() => alarm.stop())
  alarm.add('far', async () => undefined)
  alarm.runWithin('far', 1e6)
  return { alarm, timers }
}

test('starting and ending a wait keeps the timer and only changes whether the process stays alive', () => {
  const { alarm, timers } = world()
  for (const keepAlive of [true, false, true, false]) {
    alarm.keepProcessAlive(keepAlive)
    expect(timers.map(({ handle }) => handle.hasRef())).toEqual([keepAlive])
  }
})

test('a timer that cannot be changed is replaced', () => {
  const { alarm, timers } = world(() => false)
  alarm.keepProcessAlive(true)
  alarm.keepProcessAlive(false)
  expect(timers.map(({ keepAlive }) => keepAlive)).toEqual([false, true, false])
})

test('a timer that is set during a wait keeps the process alive', () => {
  const { alarm, timers } = world()
  alarm.keepProcessAlive(true)
  alarm.runWithin('far', 1e5)
  expect(timers.map(({ handle }) => handle.hasRef()).at(-1)).toBe(true)
})
