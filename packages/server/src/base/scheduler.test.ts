import { testClock } from '@holdpoint/server/testing'
import { describe, expect, onTestFinished, test } from 'vitest'
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

const environment = systemEnvironment()

describe('the alarm', () => {
  function world() {
    const clock = testClock({ start: 0 })
    const failed: string[] = []
    const alarm = new Scheduler({ ...environment, ...clock.environment }, undefined, (job) => void failed.push(job))
    const rang: string[] = []
    const job = (name: string, again?: number) =>
      alarm.add(name, async () => {
        rang.push(`${name} ${clock.now()}`)
        return again
      })
    return { clock, alarm, rang, job, failed }
  }
  test('has one timer for all jobs, set for the earliest', async () => {
    const { clock, alarm, rang, job } = world()
    job('a')
    job('b', 50)
    alarm.runWithin('a', 100)
    alarm.runWithin('b', 70)
    alarm.runWithin('a', 500)
    expect(clock.timers).toBe(1)
    await clock.advance(130)
    expect(rang).toEqual(['b 70', 'a 100', 'b 120'])
    expect(clock.timers).toBe(1)
    alarm.stop()
    expect(clock.timers).toBe(0)
    await clock.advance(1_000)
    expect(rang).toHaveLength(3)
  })
  test('runs nothing after it has stopped, also on request', async () => {
    const { alarm, rang, job } = world()
    job('a')
    await alarm.run('a')
    alarm.stop()
    await alarm.run('a')
    expect(rang).toHaveLength(1)
  })
  test('runs a job later than the longest possible timer', async () => {
    const { clock, alarm, rang, job } = world()
    job('far')
    alarm.runWithin('far', 2 ** 31 + 5)
    await clock.jump(2 ** 31 - 1)
    expect(rang).toEqual([])
    await clock.jump(6)
    expect(rang).toHaveLength(1)
  })
  test('repeats a job that failed, and runs a job once more if it is requested while it runs', async () => {
    const { clock, alarm, rang, failed } = world()
    let runs = 0
    alarm.add('flaky', async () => {
      if (++runs === 1) throw new Error('not yet')
      return undefined
    })
    alarm.runWithin('flaky', 0)
    await clock.advance('5s')
    expect([runs, failed]).toEqual([2, ['flaky']])
    let finish = () => {}
    alarm.add('slow', () => {
      rang.push('slow')
      return new Promise((resolve) => (finish = () => resolve(undefined)))
    })
    alarm.runWithin('slow', 0)
    await clock.settle()
    alarm.runWithin('slow', 0)
    await clock.settle()
    expect(rang).toEqual(['slow'])
    expect(clock.timers).toBe(0)
    finish()
    await clock.settle()
    expect(rang).toEqual(['slow', 'slow'])
  })
})
