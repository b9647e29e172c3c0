import { expect, onTestFinished, test } from 'vitest'
import { type Environment, systemEnvironment } from './environment.ts'
import { Scheduler } from './scheduler.ts'

/** An alarm with a job far away, and the timers that were set for it: each with what was said of the process then. */
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

test('a process that begins and ends to wait keeps its timer: it only says whether the process stays for it', () => {
  const { alarm, timers } = world()
  for (const keepAlive of [true, false, true, false]) {
    alarm.keepProcessAlive(keepAlive)
    expect(timers.map(({ handle }) => handle.hasRef())).toEqual([keepAlive])
  }
})

test('where a timer cannot be told so, another one is set in its place', () => {
  const { alarm, timers } = world(() => false)
  alarm.keepProcessAlive(true)
  alarm.keepProcessAlive(false)
  expect(timers.map(({ keepAlive }) => keepAlive)).toEqual([false, true, false])
})

test('a timer that is set while somebody waits keeps the process', () => {
  const { alarm, timers } = world()
  alarm.keepProcessAlive(true)
  alarm.runWithin('far', 1e5)
  expect(timers.map(({ handle }) => handle.hasRef()).at(-1)).toBe(true)
})
