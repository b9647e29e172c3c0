import { getEventListeners } from 'node:events'
import { expect, test } from 'vitest'
import { bareKernel } from '../../../test/engine/support/bare-kernel.ts'
import type { StoreListener } from '../../store/port.ts'
import { waitElsewhere } from './wait-for-session-change.ts'

function waiting(signal?: AbortSignal) {
  const { clock, kernel, store } = bareKernel()
  const listeners = new Set<StoreListener>()
  const subscribe = store.subscribe
  store.subscribe = (listener) => {
    listeners.add(listener)
    const stop = subscribe(listener)
    return () => {
      listeners.delete(listener)
      stop()
    }
  }
  let over = false
  void waitElsewhere(kernel, 's/chat', signal).then(() => {
    over = true
  })
  /** Checks that an ended wait leaves no timer and no listener. */
  const ended = async () => {
    await clock.settle()
    if (over) expect([clock.timers, listeners.size]).toEqual([0, 0])
    if (over && signal) expect(getEventListeners(signal, 'abort')).toEqual([])
    return over
  }
  return {
    clock,
    ended,
    write: (...partitions: string[]) => listeners.forEach((tell) => void tell(partitions, new Map())),
  }
}

test('a wait for a session is notified of writes to that session only', async () => {
  const { ended, write } = waiting()
  write('s/other')
  expect(await ended()).toBe(false)
  write('s/other', 's/chat')
  expect(await ended()).toBe(true)
})

test('a wait for a session ends after half a second, in case a notification was lost', async () => {
  const { clock, ended } = waiting()
  await clock.advance(499)
  expect(await ended()).toBe(false)
  await clock.advance(1)
  expect(await ended()).toBe(true)
})

test('a wait that ends normally removes its abort listener', async () => {
  const { ended, write } = waiting(new AbortController().signal)
  write('s/chat')
  expect(await ended()).toBe(true)
})

test('a wait that is aborted ends', async () => {
  const page = new AbortController()
  const { ended } = waiting(page.signal)
  expect(await ended()).toBe(false)
  page.abort()
  expect(await ended()).toBe(true)
})
