import type { HoldpointOptions } from '@holdpoint/server'
import { expect, test, vi } from 'vitest'
import { bareKernel, IDENTITY } from '../../../test/engine/support/bare-kernel.ts'
import { encodeRow } from '../records/row-codec.ts'
import { recover } from './recover.ts'

const NODES = 'n'

function world(hooks: NonNullable<HoldpointOptions['hooks']> = {}) {
  const bare = bareKernel({ timing: { leaseMs: 15_000 }, hooks })
  const { kernel } = bare
  return {
    ...bare,
    nodes: kernel.heartbeat,
    node: (id: string) => bare.row('node', id, NODES),
    other: (id: string, until: number) =>
      kernel.transact(NODES, async (tx) => {
        await tx.read(['node', id])
        tx.put('node', id, { until }, { due: until })
      }),
  }
}

test('the calls of a dead process are taken over and its row is removed, and those of a live process stay', async () => {
  const { kernel, node, other, clock, ask, row, nodes } = world()
  await nodes.alive()
  await other('gone', clock.now() - 1)
  await other('alive', clock.now() + 1)
  await ask({ id: 'q1', owner: 'gone', status: 'answered' })
  await ask({ id: 'q2', owner: 'alive', status: 'answered' })
  await ask({ id: 'q3', owner: kernel.incarnation, status: 'answered' })
  expect(await recover(kernel)).toBe(0)
  expect(await Promise.all(['q1', 'q2', 'q3'].map(async (id) => (await row('question', id))?.waiter))).toEqual([
    'none',
    'inline',
    'inline',
  ])
  expect([await node('gone'), await node('alive')]).toEqual([null, { until: clock.now() + 1 }])
})

test('deliveries of a dead process are made at once, and those of live processes, this one included, are not', async () => {
  const made: string[] = []
  const { other, clock, partition, kernel, store } = world({
    onToolResult: ({ deliveryId }) => void made.push(deliveryId),
  })
  await other('gone', clock.now() - 1)
  await other('alive', clock.now() + 60_000)
  // Another process wrote them: this one makes what it writes itself at once.
  const due = clock.now() + 60_000
  await store.commit({
    partition,
    puts: ['gone', 'alive', kernel.incarnation].map((owner) => {
      const row = { ...IDENTITY, deliveryId: `of-${owner}`, attempts: 1, at: 0, type: 'tool_result' }
      const data = encodeRow({ ...row, result: { status: 'completed', result: 1 } })
      return { kind: 'delivery', id: row.deliveryId, data, due, tags: [`o/${owner}`] }
    }),
  })
  await recover(kernel)
  await clock.settle()
  expect(made).toEqual(['of-gone'])
})

test('the row of a dead process is kept if this process does not know its tools', async () => {
  const { kernel, node, other, clock, partition } = world()
  await other('gone', clock.now() - 1)
  await kernel.transact(partition, async (tx) =>
    tx.put(
      'call',
      'run-1/call-1',
      {
        ...{ runId: 'run-1', toolCallId: 'call-1', toolName: 'elsewhere', registered: true, status: 'running' },
        ...{ owner: 'gone', fence: 1, startedAt: 0, keys: {} },
      },
      { tags: ['o/gone'] },
    ),
  )
  expect(await recover(kernel)).toBe(0)
  expect(await node('gone')).not.toBeNull()
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
  const { byTag } = kernel.store
  vi.spyOn(kernel.store, 'byTag').mockImplementation(async (...args) => {
    const page = await byTag(...args)
    if (args[0] === 'o/gone') await other('gone', clock.now() + 5_000)
    return page
  })
  await recover(kernel)
  expect(await node('gone')).toEqual({ until: clock.now() + 5_000 })
})
