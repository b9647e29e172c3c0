import { expect, test, vi } from 'vitest'
import { bareKernel } from '../../../test/engine/support/bare-kernel.ts'
import { recover } from '../upkeep/recover.ts'
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
    own: () => kernel.calls.hold(bare.execution()),
    other: (id: string, until: number) =>
      kernel.transact(NODES, async (tx) => {
        await tx.read(['node', id])
        tx.put('node', id, { until }, { due: until })
      }),
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
  if (held) kernel.calls.left(held)
  await clock.advance(2 * LEASE)
  expect(await lives()).toBe(false)
  kernel.calls.hold(execution())
  await nodes.alive()
  await clock.advance(2 * LEASE)
  expect(await lives()).toBe(true)
})

test('a lease contains three heartbeats, and a very short lease still leaves time for other work', async () => {
  for (const [leaseMs, beats] of [
    [LEASE, 3],
    [12, 1],
  ] as const) {
    const { nodes, own, clock, kernel } = world(leaseMs)
    own()
    await nodes.alive()
    const transact = vi.spyOn(kernel, 'transact')
    await clock.advance(leaseMs)
    expect(transact.mock.calls.filter(([partition]) => partition === NODES)).toHaveLength(beats)
  }
})

test('a process that was suspended for longer than its lease checks everything that it waits for', async () => {
  const { nodes, own, kernel, clock } = world()
  const [waiters, calls] = [vi.spyOn(kernel.waiters, 'checkAll'), vi.spyOn(kernel.ownershipWatch, 'checkAll')]
  own()
  await nodes.alive()
  waiters.mockClear()
  calls.mockClear()
  await clock.advance(LEASE)
  expect([waiters.mock.calls.length, calls.mock.calls.length]).toEqual([0, 3])
  await clock.jump(LEASE + 1)
  expect(waiters).toHaveBeenCalledOnce()
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

test('the calls of a dead process are taken over and its row is removed, and those of a live process stay', async () => {
  const { kernel, node, other, clock, ask, row, nodes } = world()
  await nodes.alive()
  await other('gone', clock.now() - 1)
  await other('alive', clock.now() + 1)
  await ask({ id: 'q1', owner: 'gone', status: 'answered' })
  await ask({ id: 'q2', owner: 'alive', status: 'answered' })
  await ask({ id: 'q3', owner: kernel.incarnation, status: 'answered' })
  const kicked = vi.spyOn(kernel.outbox, 'kick')
  expect(await recover(kernel)).toBe(0)
  expect(await Promise.all(['q1', 'q2', 'q3'].map(async (id) => (await row('question', id))?.waiter))).toEqual([
    'none',
    'inline',
    'inline',
  ])
  expect([await node('gone'), await node('alive')]).toEqual([null, { until: clock.now() + 1 }])
  expect(kicked).toHaveBeenCalledOnce()
})

test('deliveries of a dead process are due at once, and those of this process are not', async () => {
  const { kernel, other, clock, partition, store } = world()
  await other('gone', clock.now() - 1)
  await kernel.transact(partition, async (tx) => {
    const base = { type: 'tool_result', attempts: 1, at: 0, result: { status: 'completed' } } as never
    for (const owner of ['gone', kernel.incarnation]) {
      tx.put('delivery', owner, base, { due: tx.now + 60_000, tags: [`o/${owner}`] })
    }
  })
  const taken = vi.spyOn(kernel.outbox, 'takeOver').mockResolvedValue()
  await recover(kernel)
  expect(taken.mock.calls).toEqual([[partition, 'gone']])
  expect(await store.list(partition, 'delivery')).toHaveLength(2)
})

test('the row of a dead process is kept if this process does not know its tools', async () => {
  const { kernel, node, other, clock, partition } = world()
  await other('gone', clock.now() - 1)
  const call = (id: string) =>
    kernel.transact(partition, async (tx) =>
      tx.put(
        'call',
        id,
        {
          ...{ runId: 'run-1', toolCallId: id, toolName: 'elsewhere', registered: true, status: 'running' },
          ...{ owner: 'gone', fence: 1, startedAt: 0, keys: {} },
        },
        { tags: ['o/gone'] },
      ),
    )
  await call('call-1')
  const resumed = vi.spyOn(kernel.tools, 'resume')
  expect(await recover(kernel)).toBe(0)
  expect(await node('gone')).not.toBeNull()
  expect(resumed.mock.calls).toEqual([[partition, 'call-1', 'recovered']])
  resumed.mockResolvedValue({} as never)
  expect(await recover(kernel)).toBe(1)
  expect(await node('gone')).toBeNull()
})

test('the calls of a dead process are taken over on all pages at once', async () => {
  const { kernel, other, clock, ask, store, partition } = world()
  await other('gone', clock.now() - 1)
  for (let n = 100; n < 220; n++) await ask({ id: `q${n}`, owner: 'gone', status: 'answered' })
  await recover(kernel)
  const rows = await store.list(partition, 'question')
  expect(rows.filter(({ data }) => data.includes('"waiter":"none"'))).toHaveLength(120)
})

test('a node that returns during its takeover keeps its row', async () => {
  const { kernel, node, other, clock } = world()
  await other('gone', clock.now() - 1)
  vi.spyOn(kernel.outbox, 'kick')
  const { byTag } = kernel.store
  vi.spyOn(kernel.store, 'byTag').mockImplementation(async (...args) => {
    const page = await byTag(...args)
    if (args[0] === 'o/gone') await other('gone', clock.now() + 5_000)
    return page
  })
  await recover(kernel)
  expect(await node('gone')).toEqual({ until: clock.now() + 5_000 })
})
