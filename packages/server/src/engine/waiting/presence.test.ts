import { HoldpointError } from '@holdpoint/core'
import { expect, test, vi } from 'vitest'
import { bareKernel } from '../../../test/engine/support/bare-kernel.ts'
import { Deferred } from '../../base/deferred.ts'
import type { PresenceTouch } from '../api/engine.ts'

const SESSION = { tenant: '', sessionId: 'chat' }
const PARTITION = 'p//chat'

function world() {
  const bare = bareKernel({ timing: { presenceMs: 60_000 } })
  const { presence } = bare.kernel
  const watching = async () => {
    const { users, able } = await presence.watching('', 'chat')
    return [[...users], [...able]]
  }
  return {
    ...bare,
    presence,
    watching,
    touch: (changes: Partial<PresenceTouch> = {}) =>
      presence.touch(SESSION, { clientId: 'tab', userId: 'ada', ...changes }),
    appears: (users = ['ada'], graceMs = 15_000, signal = new AbortController().signal) =>
      presence.appears(SESSION, users, graceMs, signal),
    clients: async () => (await bare.store.list(PARTITION, 'presence')).map(({ id }) => id),
  }
}

test('a present client can answer unless it reports that it cannot', async () => {
  const { touch, watching } = world()
  expect(await watching()).toEqual([[], []])
  await touch()
  expect(await watching()).toEqual([['ada'], ['ada']])
  await touch({ supported: false })
  expect(await watching()).toEqual([['ada'], []])
  // An open stream says no more than that it is there.
  await touch()
  expect(await watching()).toEqual([['ada'], []])
  await touch({ supported: true, enabled: false })
  expect(await watching()).toEqual([['ada'], []])
  await touch()
  expect(await watching()).toEqual([['ada'], []])
  await touch({ enabled: true })
  expect(await watching()).toEqual([['ada'], ['ada']])
})

test('two tabs of one user count as one user, who can answer if one of the tabs can', async () => {
  const { touch, watching, presence } = world()
  await touch({ enabled: false })
  await touch({ clientId: 'phone' })
  await touch({ clientId: 'other', userId: 'bob' })
  expect(await watching()).toEqual([
    ['bob', 'ada'],
    ['bob', 'ada'],
  ])
  await presence.leave(SESSION, { clientId: 'phone', userId: 'ada' })
  expect(await watching()).toEqual([['bob', 'ada'], ['bob']])
  expect(await presence.watching('', 'elsewhere')).toEqual({ users: new Set(), able: new Set() })
})

test('a silent client counts as absent at once for a reader, and is removed from the store soon', async () => {
  const { touch, watching, clients, clock } = world()
  await touch()
  await clock.advance(30_000)
  await touch({ clientId: 'phone' })
  await clock.advance(29_999)
  expect(await watching()).toEqual([['ada'], ['ada']])
  await clock.advance(1)
  expect(await clients()).toEqual(['phone'])
  await clock.advance(30_000)
  expect(await watching()).toEqual([[], []])
  expect(await clients()).toEqual([])
})

test('a silent client counts as absent at once, even before a sweep', async () => {
  const { touch, watching, clock, kernel } = world()
  await touch()
  kernel.scheduler.stop()
  await clock.jump(60_000)
  expect(await watching()).toEqual([[], []])
})

test('a failed sweep is repeated', async () => {
  const { touch, clients, clock, store, logged } = world()
  await touch()
  vi.spyOn(store, 'commit').mockRejectedValueOnce(new HoldpointError('store_full', 'full'))
  await clock.advance(60_000)
  expect(logged).toContainEqual(['warn', expect.stringContaining('presence failed'), expect.anything()])
  await clock.advance('1m')
  expect(await clients()).toEqual([])
})

test('a client that leaves is absent as soon as it reports it, also if the store is slow', async () => {
  const { touch, clients, presence, store } = world()
  await touch()
  const { commit } = store
  vi.spyOn(store, 'commit').mockImplementation(async (item) => {
    await new Promise<void>(setImmediate)
    return await commit(item)
  })
  await presence.leave(SESSION, { clientId: 'tab', userId: 'ada' })
  expect(await clients()).toEqual([])
})

test('a client that renews its presence during a sweep is not removed', async () => {
  const { touch, clients, clock, kernel, store } = world()
  await touch()
  const list = await store.list(PARTITION, 'presence')
  // A listed row was renewed before the sweep processed it.
  vi.spyOn(store, 'due').mockResolvedValueOnce({ now: clock.now(), rows: list })
  await kernel.scheduler.run('presence')
  expect(await clients()).toEqual(['tab'])
})

test('the last known presence of this process is available at once, until it expires', async () => {
  const { touch, watching, presence, clock } = world()
  expect(presence.lastKnown('', 'chat')).toBeUndefined()
  await touch()
  await watching()
  expect([...(presence.lastKnown('', 'chat')?.able ?? [])]).toEqual(['ada'])
  await presence.leave(SESSION, { clientId: 'tab', userId: 'ada' })
  await watching()
  expect(presence.lastKnown('', 'chat')).toBeUndefined()
  await touch()
  await watching()
  await clock.advance(60_000)
  expect(presence.lastKnown('', 'chat')).toBeUndefined()
})

test('a client that can answer is shown the open questions, and one that cannot is not', async () => {
  const { touch, kernel, ask, execution, reported } = world()
  const behavior = { onResponse: () => ({ complete: 1 }) }
  kernel.waiters.wait(execution(), await ask(), behavior, new Deferred(vi.fn(), vi.fn()))
  const shown = () => reported.filter(({ type }) => type === 'shown')
  await touch({ enabled: false })
  await touch({ enabled: true, supported: false })
  expect(shown()).toEqual([])
  await touch({ enabled: true, supported: true })
  expect(shown()).toMatchObject([{ interactionId: 'q1', sessionId: 'chat' }])
})

test('a wait for presence ends when a client appears', async () => {
  const { touch, appears, clock } = world()
  const waiting = appears(['ada', 'boss'])
  await clock.settle()
  await touch({ userId: 'eve', clientId: 'x' })
  await touch({ userId: 'boss', clientId: 'y', enabled: false })
  await clock.settle()
  expect(clock.timers).toBeGreaterThan(0)
  await touch({ userId: 'boss', clientId: 'y', enabled: true })
  await clock.settle()
  expect(await waiting).toBe(true)
})

test('a wait for presence ignores changes of other sessions', async () => {
  const { appears, presence, store, clock } = world()
  void appears().catch(() => {})
  await clock.settle()
  const looked = vi.spyOn(store, 'list')
  await presence.touch({ tenant: '', sessionId: 'other' }, { clientId: 'tab', userId: 'ada' })
  await clock.settle()
  expect(looked).not.toHaveBeenCalled()
})

test('a wait for presence ends at once if a client is present', async () => {
  const { touch, appears } = world()
  await touch()
  expect(await appears(['ada'], 0)).toBe(true)
})

test('a wait for presence ends after its time without a client', async () => {
  const { appears, touch, clock, store } = world()
  const listened = vi.spyOn(store, 'subscribe')
  let came: boolean | undefined
  void appears(['ada'], 2_500).then((said) => {
    came = said
  })
  await touch({ userId: 'eve' })
  await clock.advance(2_499)
  expect(came).toBeUndefined()
  await clock.advance(1)
  expect(came).toBe(false)
  expect(listened).toHaveBeenCalledOnce()
})

test('a wait for presence ends after a second if a notification was lost', async () => {
  const { appears, touch, clock, store } = world()
  vi.spyOn(store, 'subscribe').mockReturnValue(() => {})
  let came: boolean | undefined
  void appears().then((said) => {
    came = said
  })
  await clock.settle()
  await touch()
  await clock.advance(999)
  expect(came).toBeUndefined()
  await clock.advance(1)
  expect(came).toBe(true)
})

test('a long wait for presence has at most one listener on its abort signal', async () => {
  const { appears, clock } = world()
  const { signal } = new AbortController()
  const [added, removed] = [vi.spyOn(signal, 'addEventListener'), vi.spyOn(signal, 'removeEventListener')]
  const waiting = appears(['ada'], 10_000, signal)
  await clock.advance(10_000)
  expect(await waiting).toBe(false)
  expect([added.mock.calls.length, removed.mock.calls.length]).toEqual([10, 10])
})

test('a wait for presence can be aborted before it or during it, and leaves nothing behind', async () => {
  const { appears, clock, store } = world()
  const stop = vi.fn()
  vi.spyOn(store, 'subscribe').mockReturnValue(stop)
  const before = clock.timers
  const controller = new AbortController()
  const waiting = appears(['ada'], 15_000, controller.signal)
  const failed = expect(waiting).rejects.toThrow('enough')
  await clock.settle()
  expect(clock.timers).toBe(before + 1)
  controller.abort(new Error('enough'))
  await failed
  expect([clock.timers, stop.mock.calls.length]).toEqual([before, 1])
  await expect(appears(['ada'], 15_000, controller.signal)).rejects.toThrow('enough')
})

test('a client id belongs to its user: another user with the same id neither replaces nor removes it [N10.1]', async () => {
  const { touch, watching, presence } = world()
  await touch()
  await touch({ userId: 'support', enabled: false })
  expect(await watching()).toEqual([['ada'], ['ada']])
  await presence.leave(SESSION, { clientId: 'tab', userId: 'support' })
  expect(await watching()).toEqual([['ada'], ['ada']])
  await presence.leave(SESSION, { clientId: 'tab', userId: 'ada' })
  await touch({ userId: 'support' })
  expect(await watching()).toEqual([['support'], ['support']])
})

test('a sweep drops all vanished clients, on any number of pages, and passes over a row that it cannot read', async () => {
  const { clients, clock, store, kernel, touch } = world()
  await touch({ clientId: 'first' })
  for (let n = 100; n < 360; n++) {
    await store.commit({
      partition: PARTITION,
      puts: [{ kind: 'presence', id: `c${n}`, data: rowOf(`c${n}`, n === 100 ? 99 : 1), due: clock.now() }],
    })
  }
  await clock.advance(60_000)
  await kernel.scheduler.run('presence')
  expect(await clients()).toEqual(['c100'])
})

/** A stored client that vanished long ago; a `v` of 99 is of a newer release. */
const rowOf = (clientId: string, v: number) =>
  JSON.stringify({ v, d: { clientId, userId: 'ada', supported: true, enabled: true, until: 1 } })
