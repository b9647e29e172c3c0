import { HoldpointError } from '@holdpoint/core'
import type { FollowUpDelivery, ToolResultDelivery } from '@holdpoint/server'
import { expect, test, vi } from 'vitest'
import { bareKernel, IDENTITY } from '../../../test/engine/support/bare-kernel.ts'
import { rememberedId } from '../consent/remembered.ts'
import { ownerTag, PARKED_TAG, userPartition } from '../records/keys.ts'
import type { CallResult, DeliveryRow, RememberedRow } from '../state/rows.ts'

const MINUTE = 60_000
const by = { clientId: 'tab', userId: 'ada', name: 'Ada' }
const result = (said: CallResult = { status: 'completed', result: 7 }) => ({
  type: 'tool_result' as const,
  result: said,
})
const answer = { answerId: 'a', digest: 'd', at: 1, by, action: 'approve', args: { n: 1 }, diffDecisions: {} } as const
const followUp = {
  type: 'follow_up',
  ...{ reason: 'orphaned', interactionId: 'q1', message: 'Ada said yes.', answer },
} as const

async function world(options: Parameters<typeof bareKernel>[0] = {}) {
  const bare = bareKernel({ ...options, timing: { leaseMs: 15_000, ...options.timing } })
  const { kernel, clock, store, partition } = bare
  await kernel.ready()
  await clock.settle()
  const ids = async () => (await store.list(partition, 'delivery')).map(({ id }) => id)
  return {
    ...bare,
    outbox: kernel.outbox,
    ids,
    stored: () => bare.row('delivery', 'd1'),
    due: async () => (await store.due('delivery')).nextDue,
    tagged: async (tag: string) => (await store.byTag(tag)).rows.map(({ id }) => id),
    add: (content: object, { id = 'd1', due = clock.now(), tags = [] as string[] } = {}) =>
      kernel.transact(partition, async (tx) => {
        const base = { ...IDENTITY, deliveryId: id, attempts: 0, at: clock.now() }
        tx.put('delivery', id, { ...base, ...content } as DeliveryRow, { due, tags })
      }),
  }
}
type World = Awaited<ReturnType<typeof world>>

/** Hooks that record their calls and do what the test configures. */
function hooks() {
  const given: (ToolResultDelivery | FollowUpDelivery)[] = []
  const work: { next: () => unknown } = { next: () => undefined }
  const hook = async (delivery: ToolResultDelivery | FollowUpDelivery) => {
    given.push(delivery)
    await work.next()
  }
  return { given, work, both: { onToolResult: hook, onFollowUp: hook } }
}
const sweep = async ({ outbox }: World) => {
  await outbox.sweep()
  await outbox.settled()
}

test.each<[string, CallResult, object]>([
  ['a result', { status: 'completed', result: 7 }, { status: 'completed', result: 7 }],
  [
    'an error',
    { status: 'error', code: 'tool_failed', message: 'no' },
    { status: 'error', result: { error: { code: 'tool_failed', message: 'no' } } },
  ],
  ['a refusal', { status: 'refused', outcome: 'denied' }, { status: 'refused', result: { refused: 'denied' } }],
  [
    'a refusal with its reason and output',
    { status: 'refused', outcome: 'denied', reason: 'no', output: 1 },
    { status: 'refused', result: { refused: 'denied', reason: 'no', output: 1 } },
  ],
])('%s is passed to its hook once, with its session and call, and is then removed', async (_what, said, expected) => {
  const { given, both } = hooks()
  const all = await world({ hooks: both })
  await all.add(result(said))
  await sweep(all)
  await sweep(all)
  expect(given).toEqual([{ ...IDENTITY, deliveryId: 'd1', ...expected }])
  expect(await all.ids()).toEqual([])
  expect(all.reported).toMatchObject([
    { type: 'delivered', delivery: 'tool_result', attempts: 1, toolCallId: 'call-1' },
  ])
})

test('a follow-up contains the content of the answer, and not its sender', async () => {
  const { given, both } = hooks()
  const all = await world({ hooks: both })
  await all.add(followUp)
  await sweep(all)
  const { type: _type, ...said } = followUp
  expect(given).toEqual([{ ...IDENTITY, deliveryId: 'd1', ...said, answer: { action: 'approve', args: { n: 1 } } }])
})

test('a delivery is not attempted before it is due, and the next check is at that time', async () => {
  const { given, both } = hooks()
  const all = await world({ hooks: both })
  await all.add(result(), { due: all.clock.now() + 5_000 })
  expect(await all.outbox.sweep()).toBe(5_000)
  await all.clock.advance(4_999)
  expect(await all.outbox.sweep()).toBe(2)
  expect(given).toEqual([])
  await all.add(result(), { due: all.clock.now() + 45_000 })
  expect(await all.outbox.sweep()).toBe(30_000)
  const empty = await world({ hooks: both })
  expect(await empty.outbox.sweep()).toBe(30_000)
})

test('hooks run in parallel up to the limit, and further deliveries follow as they end', async () => {
  const { given, work, both } = hooks()
  const all = await world({ hooks: { ...both, deliveries: { atOnce: 50 } } })
  let finish = () => {}
  const held = new Promise<void>((resolve) => {
    finish = resolve
  })
  work.next = () => held
  for (let n = 0; n < 120; n++) await all.add(result(), { id: `d${n}` })
  await all.outbox.sweep()
  expect([given.length, all.outbox.busy]).toEqual([50, 50])
  finish()
  await all.outbox.drain()
  expect(given).toHaveLength(120)
  expect([await all.ids(), all.outbox.busy]).toEqual([[], 0])
})

test('while a hook runs, no other node attempts the delivery, and the row names its process', async () => {
  const { given, work, both } = hooks()
  const all = await world({ hooks: both })
  work.next = () => new Promise(() => {})
  await all.add(result())
  await all.outbox.sweep()
  expect(await all.stored()).toMatchObject({ attempts: 1, claim: expect.any(String) })
  expect(await all.tagged(ownerTag(all.kernel.incarnation))).toEqual(['d1'])
  expect(await all.row('node', all.kernel.incarnation, 'n')).toMatchObject({ until: expect.any(Number) })
  expect(await all.due()).toBe(all.clock.now() + 5 * MINUTE)
  await all.outbox.sweep()
  expect(given).toHaveLength(1)
})

test('a node that read the delivery before another one claimed it does not claim it again', async () => {
  const { given, both } = hooks()
  const all = await world({ hooks: both })
  await all.add(result())
  const seen = await all.store.due('delivery')
  await all.kernel.transact(all.partition, async (tx) => {
    const [row] = await tx.read(['delivery', 'd1'])
    if (row) tx.put('delivery', 'd1', { ...row, attempts: 1, claim: 'other' }, { due: tx.now + MINUTE })
  })
  vi.spyOn(all.store, 'due').mockResolvedValueOnce(seen)
  await sweep(all)
  expect(given).toEqual([])
  expect(await all.stored()).toMatchObject({ attempts: 1, claim: 'other' })
})

test('a claim whose acknowledgment was lost belongs to the node that made it', async () => {
  const { given, both } = hooks()
  const all = await world({ hooks: both })
  await all.add(result())
  await all.kernel.heartbeat.alive()
  const { commit } = all.store
  const spy = vi.spyOn(all.store, 'commit').mockImplementationOnce(async (item) => {
    await commit(item)
    throw new HoldpointError('store_unavailable', 'lost')
  })
  const sweeping = sweep(all)
  await all.clock.advance('1s')
  await sweeping
  expect(spy.mock.calls.length).toBeGreaterThan(1)
  expect(given).toHaveLength(1)
  expect(await all.ids()).toEqual([])
})

test('a failing hook is called again after a second, then after twice the pause each time, and every five minutes without end', async () => {
  const { given, work, both } = hooks()
  const all = await world({ hooks: both })
  work.next = () => Promise.reject(new TypeError('key sk-1'))
  await all.add(result())
  const pauses: number[] = []
  for (let attempt = 1; attempt <= 11; attempt++) {
    const at = all.clock.now()
    await sweep(all)
    expect(await all.stored()).toMatchObject({ attempts: attempt })
    const due = (await all.due()) ?? 0
    pauses.push(due - at)
    all.kernel.scheduler.stop()
    await all.clock.jump(due - at)
  }
  const second = 1_000
  const doubled = [1, 2, 4, 8, 16, 32, 64, 128, 256].map((times) => times * second)
  expect(pauses).toEqual([...doubled, 5 * MINUTE, 5 * MINUTE])
  expect(given.map(({ deliveryId }) => deliveryId)).toEqual(pauses.map(() => 'd1'))
  expect(all.reported.at(-1)).toMatchObject({ type: 'delivery_failed', delivery: 'tool_result', attempts: 11 })
  expect(JSON.stringify(all.logged)).not.toContain('sk-1')
})

test('a failing hook is called again by a timer, without a call of the host', async () => {
  const { given, work, both } = hooks()
  const all = await world({ hooks: both })
  work.next = () => {
    if (given.length === 1) throw new Error('not yet')
  }
  await all.add(result())
  all.outbox.runSoon()
  await all.clock.advance(1_100)
  expect([given.length, await all.ids()]).toEqual([2, []])
})

test('a delivery is made at once in a process without timers', async () => {
  const { given, both } = hooks()
  const all = await world({ hooks: both, waiting: 'suspend' })
  await all.add(result())
  all.outbox.runSoon()
  // The clock stands still, so no timer fires.
  await vi.waitFor(() => expect(given).toHaveLength(1))
  await all.outbox.settled()
})

test.each([
  ['a result', result(), 'onToolResult'],
  ['a follow-up', followUp, 'onFollowUp'],
] as const)('%s without its hook is kept with one warning until a hook exists', async (_what, content, name) => {
  const { given, both } = hooks()
  const settings = { ...both, [name]: undefined }
  const all = await world({ hooks: settings })
  await all.add(content)
  await sweep(all)
  await sweep(all)
  expect(all.logged.filter(([level]) => level === 'warn')).toEqual([
    ['warn', expect.stringContaining(name), { deliveryId: 'd1' }],
  ])
  expect(await all.due()).toBeUndefined()
  expect(await all.tagged(PARKED_TAG)).toEqual(['d1'])
  await all.outbox.unpark()
  expect(await all.tagged(PARKED_TAG)).toEqual(['d1'])
  Object.assign(all.kernel.settings, both)
  await all.outbox.unpark()
  expect(await all.tagged(PARKED_TAG)).toEqual([])
  await all.clock.settle()
  await all.outbox.settled()
  expect([given.length, await all.ids()]).toEqual([1, []])
})

test('deliveries that waited for a hook are all found, on any number of pages, and those without a hook stay', async () => {
  const { given, both } = hooks()
  const all = await world()
  for (let n = 100; n < 230; n++)
    await all.add(n % 10 === 0 ? followUp : result(), { id: `d${n}`, tags: [PARKED_TAG], due: Number.MAX_SAFE_INTEGER })
  Object.assign(all.kernel.settings, { onToolResult: both.onToolResult })
  await all.outbox.unpark()
  expect(await all.tagged(PARKED_TAG)).toHaveLength(13)
  await all.outbox.drain()
  expect(given).toHaveLength(117)
})

test('results that promises received are removed soon, with one commit for all of one tick', async () => {
  const all = await world()
  for (const id of ['d1', 'd2', 'd3']) await all.add(result(), { id, due: all.clock.now() + MINUTE })
  const commits = vi.spyOn(all.store, 'commit')
  const loads = vi.spyOn(all.store, 'load')
  all.outbox.acknowledge(all.partition, 'd1')
  all.outbox.acknowledge(all.partition, 'd2')
  await all.clock.settle()
  expect([await all.ids(), commits.mock.calls.length, loads.mock.calls.length]).toEqual([['d3'], 1, 0])
  all.outbox.acknowledge(all.partition, 'd3')
  await all.outbox.flush()
  expect(await all.ids()).toEqual([])
  await all.outbox.flush()
  expect(commits).toHaveBeenCalledTimes(2)
})

test('a received result is removed also if its row was changed, but not while a hook runs', async () => {
  const all = await world()
  for (const id of ['d1', 'd2', 'd3']) {
    await all.add(result(), { id })
    await all.add({ ...result(), attempts: id === 'd2' ? 1 : 0 }, { id })
    all.outbox.acknowledge(all.partition, id)
  }
  all.outbox.acknowledge(all.partition, 'gone')
  await all.outbox.flush()
  expect(await all.ids()).toEqual(['d2'])
})

test('a received result is removed later if the store is unavailable', async () => {
  const all = await world()
  await all.add(result())
  vi.spyOn(all.store, 'commit').mockRejectedValueOnce(new Error('away'))
  all.outbox.acknowledge(all.partition, 'd1')
  await all.outbox.flush()
  expect(await all.ids()).toEqual([])
})

test('a delivery that a dead process had claimed is due at once', async () => {
  const { given, both } = hooks()
  const all = await world({ hooks: both })
  await all.add({ ...result(), attempts: 1, claim: 'gone' }, { due: all.clock.now() + MINUTE })
  await all.outbox.takeOver(all.partition, 'none')
  await all.outbox.takeOver(all.partition, 'd1')
  await all.clock.settle()
  await all.outbox.settled()
  expect([given.length, await all.ids()]).toEqual([1, []])
})

test('an approval for always is stored for its user, and is not reported as a delivery', async () => {
  const all = await world()
  const remembered: RememberedRow = {
    userId: 'ada',
    tool: 't',
    key: '"k"',
    scope: 'always',
    approvedAt: all.clock.now(),
  }
  const id = rememberedId('ada', 't', '"k"')
  await all.add({ type: 'remembered_approval', rememberedId: id, remembered })
  await sweep(all)
  expect(await all.row('remembered', id, userPartition('', 'ada'))).toEqual(remembered)
  expect([await all.ids(), all.reported]).toEqual([[], []])
})

test('a delivery that was made is not repeated while its removal fails', async () => {
  const { given, both, work } = hooks()
  const all = await world({ hooks: both })
  work.next = () => {
    const spy = vi.spyOn(all.store, 'commit')
    for (let n = 0; n < 7; n++) spy.mockRejectedValueOnce(new HoldpointError('store_full', 'full'))
  }
  await all.add(result())
  const sweeping = sweep(all)
  await all.clock.advance('20s')
  await sweeping
  expect([given.length, await all.ids()]).toEqual([1, []])
})

test('a hook that hangs is not called again in the process that runs it, and no other process takes it [R9i.3]', async () => {
  const { given, work, both } = hooks()
  work.next = () => new Promise(() => {})
  const here = await world({ hooks: both })
  await here.add(result())
  await here.outbox.sweep()
  expect(given).toHaveLength(1)
  for (let minutes = 0; minutes < 60; minutes += 6) {
    await here.clock.advance(6 * MINUTE)
    await here.outbox.sweep()
  }
  expect(given).toHaveLength(1)
  expect((await here.store.due('delivery')).rows).toEqual([])
})
