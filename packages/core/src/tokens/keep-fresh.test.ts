import { expect, test } from 'vitest'
import type { SurroundingsEvent } from '../client/api/types.ts'
import { keepFresh } from './keep-fresh.ts'
import { manualEnvironment } from './testing/manual-environment.ts'

function kept(dueIn: number) {
  const time = manualEnvironment()
  const start = time.env.now()
  const looks: number[] = []
  const stop = keepFresh(time.env, () => {
    looks.push(time.env.now() - start)
    return time.env.now() + dueIn
  })
  return { time, looks, stop }
}

test.each([
  ['the timer fires when the token is due', 7_000, [0, 7_000, 14_000]],
  ['the timer fires at most once a second', 0, [0, 1_000, 2_000]],
  [
    'the timer fires every 30 seconds if the token is due later, because timers stop while the machine sleeps',
    3_600_000,
    [0, 30_000],
  ],
])('keepFresh() checks at once, then %s', async (_, dueIn, at) => {
  const { time, looks } = kept(dueIn)
  await time.advance(at.at(-1)!)
  expect(looks).toEqual(at)
})

test('keepFresh() checks when the page or the network returns, not when they disappear, and keeps one timer', () => {
  const { time, looks } = kept(7_000)
  const heard: [SurroundingsEvent, number][] = [
    ['offline', 1],
    ['online', 2],
    ['hidden', 2],
    ['visible', 3],
    ['frozen', 3],
    ['thawed', 4],
  ]
  for (const [event, count] of heard) {
    time.happen(event)
    expect([event, looks.length, time.pendingTimers()]).toEqual([event, count, 1])
  }
})

test('keepFresh() does not check after it was stopped', async () => {
  const { time, looks, stop } = kept(7_000)
  stop()
  expect(time.pendingTimers()).toBe(0)
  time.happen('visible')
  await time.advance(60_000)
  expect(looks).toEqual([0])
})
