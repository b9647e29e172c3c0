import { expect, test, vi } from 'vitest'
import { bareKernel } from '../../../test/engine/support/bare-kernel.ts'
import { Deferred } from '../../base/deferred.ts'
import { isAlive } from './heartbeat.ts'

const LEASE = 15_000
const NODES = 'n'

function world(leaseMs = LEASE) {
  const bare = bareKernel({ timing: { leaseMs } })
  const { kernel, clock } = bare
  const node = (id = kernel.incarnation) => bare.row('node', id, NODES)
  return {
    ...bare,
    nodes: kernel.heartbeat,
    node,
    lives: async () => isAlive(await node(), clock.now()),
    /** Something that this process owns. */
    own: () => kernel.calls.register(bare.execution()),
  }
}

test.each([
  [null, false],
  [{ until: 1_001 }, true],
  [{ until: 1_000 }, false],
])('a process with the row %j counts as alive: %s', (row, expected) => {
  expect(isAlive(row, 1_000)).toBe(expected)
})

test('a process is registered only when necessary, and its row is stored before the work continues', async () => {
  const { nodes, node, clock, store } = world()
  expect(await node()).toBeNull()
  await nodes.alive()
  expect(await node()).toEqual({ until: clock.now() + LEASE, leaseMs: LEASE })
  expect((await store.due('node')).nextDue).toBe(clock.now() + LEASE)
})

test('concurrent callers wait for the same heartbeat, and a fresh one is not repeated', async () => {
  const { nodes, store, clock } = world()
  const commits = vi.spyOn(store, 'commit')
  await Promise.all([nodes.alive(), nodes.alive(), nodes.alive()])
  expect(commits).toHaveBeenCalledOnce()
  await clock.jump(LEASE / 2 - 1)
  await nodes.alive()
  expect(commits).toHaveBeenCalledOnce()
  await clock.jump(1)
  await nodes.alive()
  expect(commits).toHaveBeenCalledTimes(2)
})

test('a failed heartbeat does not count, and the next call makes a new one', async () => {
  const { nodes, node, store } = world()
  vi.spyOn(store, 'commit').mockRejectedValueOnce(new Error('away'))
  await expect(nodes.alive()).rejects.toThrow('away')
  await nodes.alive()
  expect(await node()).not.toBeNull()
})

test('a process sends heartbeats only while it owns a call', async () => {
  const { nodes, lives, own, kernel, clock, execution } = world()
  own()
  await nodes.alive()
  await clock.advance(10 * LEASE)
  expect(await lives()).toBe(true)
  const held = kernel.calls.in('s//chat')[0]
  if (held) kernel.calls.unregister(held)
  await clock.advance(2 * LEASE)
  expect(await lives()).toBe(false)
  kernel.calls.register(execution())
  await nodes.alive()
  await clock.advance(2 * LEASE)
  expect(await lives()).toBe(true)
})

test('a lease contains three heartbeats, and a very short lease still leaves time for other work', async () => {
  for (const [leaseMs, beats] of [
    [LEASE, 3],
    [12, 1],
  ] as const) {
    const { nodes, own, clock, store } = world(leaseMs)
    own()
    await nodes.alive()
    const commits = vi.spyOn(store, 'commit')
    await clock.advance(leaseMs)
    expect(commits.mock.calls.filter(([{ partition }]) => partition === NODES)).toHaveLength(beats)
  }
})

test('a process that was suspended for longer than its lease checks everything that it waits for', async () => {
  const { nodes, kernel, clock, execution, ask, unnoticed } = world()
  const outcome = { type: 'complete', value: 'done' } as const
  const asked = Array.from({ length: 400 }, (_, n) => ({ id: `q${n}`, sessionId: `chat-${n}` }))
  const ends: unknown[] = []
  const behavior = { onResponse: () => ({ complete: 1 }) }
  for (const question of asked) {
    const promised = new Deferred<{ type: 'value'; value: unknown }>(
      ({ value }) => void ends.push(value),
      () => {},
    )
    kernel.waiters.wait(execution({ sessionId: question.sessionId }), await ask(question), behavior, promised)
  }
  await nodes.alive()
  await unnoticed(async (node) => {
    for (const question of asked) await ask({ ...question, outcome }, node)
  })
  // The poll reads one page of the sessions, which are fewer than these.
  await clock.jump(LEASE + 1)
  expect(ends).toHaveLength(asked.length)
})

test('a node subscribes once to shutdowns of other nodes, until it shuts down itself', async () => {
  const { nodes, store } = world()
  let open = 0
  const { subscribe } = store
  store.subscribe = (listener) => {
    open++
    const unsubscribe = subscribe(listener)
    return () => {
      open--
      unsubscribe()
    }
  }
  nodes.follow()
  nodes.follow()
  expect(open).toBe(1)
  await nodes.leave()
  expect(open).toBe(0)
})

test('a node that shuts down cleanly is removed at once, and one that never registered writes nothing', async () => {
  const { nodes, lives, node, clock, store } = world()
  await nodes.leave()
  expect(await node()).toBeNull()
  await nodes.alive()
  await nodes.leave()
  expect([await lives(), await node()]).toEqual([false, { until: clock.now() }])
  expect((await store.due('node')).rows).toHaveLength(1)
})
