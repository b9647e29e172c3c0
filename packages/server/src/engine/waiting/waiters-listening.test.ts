import { expect, test, vi } from 'vitest'
import { bareKernel } from '../../../test/engine/support/bare-kernel.ts'
import { Deferred } from '../../base/deferred.ts'

async function world() {
  const bare = bareKernel()
  const { kernel, clock, store } = bare
  const { subscribe } = store
  let open = 0
  vi.spyOn(store, 'subscribe').mockImplementation((listener) => {
    const stop = subscribe(listener)
    open++
    return () => {
      open--
      stop()
    }
  })
  const keepsAlive = vi.spyOn(kernel.scheduler, 'keepProcessAlive')
  await kernel.ready()
  await clock.settle()
  const before = open
  return {
    ...bare,
    /** Subscriptions to the store that waiting has opened. */
    subscriptions: () => open - before,
    keepsAlive: () => keepsAlive.mock.lastCall?.[0],
    async wait(id: string) {
      const row = await bare.ask({ id })
      const promised = new Deferred<{ type: 'value'; value: unknown }>(
        () => {},
        () => {},
      )
      const behavior = { onResponse: () => ({ complete: 1 }) }
      return kernel.waiters.wait(bare.execution(), row, behavior, promised)
    },
  }
}

test('the process listens and stays alive while a waiter is left, and no longer than a moment after the last one', async () => {
  const { kernel, clock, wait, subscriptions, keepsAlive } = await world()
  const [first, second] = [await wait('q1'), await wait('q2')]
  expect(subscriptions()).toBeGreaterThan(0)
  kernel.waiters.remove(first)
  await clock.advance('2s')
  expect([subscriptions() > 0, keepsAlive()]).toEqual([true, true])
  kernel.waiters.remove(second)
  expect(keepsAlive()).toBe(false)
  await clock.advance('2s')
  expect(subscriptions()).toBe(0)
})

test('a process that asks again at once keeps its subscription', async () => {
  const { kernel, clock, store, wait, subscriptions } = await world()
  kernel.waiters.remove(await wait('q1'))
  const opened = vi.mocked(store.subscribe).mock.calls.length
  await clock.advance('100ms')
  await wait('q2')
  await clock.advance('2s')
  expect(subscriptions()).toBeGreaterThan(0)
  expect(vi.mocked(store.subscribe).mock.calls.length).toBe(opened)
})
