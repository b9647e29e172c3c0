import { createHoldpoint, type HoldpointOptions } from '@holdpoint/server'
import { memoryStore } from '@holdpoint/server/memory'
import type { Store } from '@holdpoint/server/store'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { z } from 'zod'
import { inboxTag, nodesPartition, ownerTag, PARKED_TAG, questionTag } from '../../src/engine/records/keys.ts'
import { encodeRow } from '../../src/engine/records/row-codec.ts'
import { engineOf } from '../../src/http/mounted.ts'
import { openStore } from '../nodes/open-store.ts'
import { onStores } from '../nodes/places.ts'
import { bareKernel } from './support/bare-kernel.ts'
import { person } from './support/world.ts'

const ADA = { userId: 'ada' }
/** A row of a newer release, a damaged row, and valid JSON that is no row. */
const POISON = ['{"v":2,"d":{"secret":"of-ada"}}', '{"v":1,"d":{"secret":"of-ada"', '{"v":1,"d":{}}', 'null']
/** More than any sweep reads at a time. */
const MANY = 110

interface Placed {
  partition: string
  kind: string
  id?: string
  due?: number
  tags?: string[]
}

async function poison(store: Store, { partition, kind, id = 'poison', due, tags }: Placed, count = MANY) {
  const puts = Array.from({ length: count }, (_, n) => {
    const data = POISON[n % POISON.length] as string
    return { kind, id: `${id}-${n}`, data, ...(due !== undefined && { due }), ...(tags && { tags }) }
  })
  await store.commit({ partition, puts })
}

function world(store: Store, options: HoldpointOptions = {}) {
  const logged: [string, unknown][] = []
  const tell = (message: string, facts?: unknown) => void logged.push([message, facts])
  const holdpoint = createHoldpoint({
    store,
    name: crypto.randomUUID(),
    logger: { debug: tell, info: tell, warn: tell, error: tell },
    ...options,
    timing: { leaseMs: 100, ...options.timing },
  })
  onTestFinished(() => holdpoint.close())
  const said = () => JSON.stringify(logged)
  return { holdpoint, said, someone: person(holdpoint, 'chat') }
}

const delivery = (deliveryId: string) => ({
  ...{ deliveryId, tenant: '', sessionId: 'chat', userId: 'ada', runId: 'r', toolCallId: 't', toolName: 'x' },
  ...{ at: 1, attempts: 0, type: 'tool_result', result: { status: 'completed', result: 7 } },
})

function suite(make: () => Store) {
  const fresh = () => {
    const store = make()
    onTestFinished(() => store.close())
    return store
  }

  test('an unreadable delivery is logged by its position, and the others are delivered [R9b.1]', async () => {
    const store = fresh()
    await poison(store, { partition: 's//bad', kind: 'delivery', due: 1 })
    await poison(store, { partition: 's//bad', kind: 'delivery', id: 'parked', tags: [PARKED_TAG] })
    const puts = [{ kind: 'delivery', id: 'd1', data: encodeRow(delivery('d1')), due: 2 }]
    await store.commit({ partition: 's//chat', puts })
    const given: string[] = []
    const { holdpoint, said } = world(store, {
      hooks: { onToolResult: ({ deliveryId }) => void given.push(deliveryId) },
    })
    await holdpoint.tick()
    await vi.waitFor(() => expect(given).toEqual(['d1']))
    expect(said()).toContain('"partition":"s//bad","kind":"delivery","id":"poison-0"')
    expect(said()).not.toContain('of-ada')
    // A node of the release that wrote them finds them as they were.
    const [row] = await store.list('s//bad', 'delivery', { limit: 1 })
    expect(row).toMatchObject({ version: 1 })
    expect((await store.due('delivery')).rows).toHaveLength(100)
  })

  test('an unreadable question does not keep other questions from expiring [R9b.2]', async () => {
    const store = fresh()
    await poison(store, { partition: 's//bad', kind: 'question', due: 1 })
    const { holdpoint } = world(store)
    const context = holdpoint.session('chat', ADA).toolCall({ runId: 'r', toolCallId: 't', toolName: 'x' })
    const asked = context.approve({ prompt: 'Sure?', timeoutMs: 50, whenUnavailable: 'wait' })
    await expect(asked).rejects.toMatchObject({ outcome: 'expired' })
  })

  test('unreadable rows of a dead node are left to others, and its readable calls are recovered [R9b.3]', async () => {
    const store = fresh()
    for (const kind of ['question', 'call', 'delivery'])
      await poison(store, { partition: 's//bad', kind, tags: [ownerTag('dead')] }, 4)
    const data = encodeRow({ until: 1 })
    await store.commit({ partition: nodesPartition, puts: [{ kind: 'node', id: 'dead', data, due: 1 }] })
    await poison(store, { partition: nodesPartition, kind: 'node', due: 1 }, 4)
    const ran: unknown[] = []
    const { holdpoint } = world(store)
    const tool = holdpoint.tool({ name: 'x', input: z.any(), execute: async () => void ran.push(1) })
    expect(tool.name).toBe('x')
    const call = {
      ...{ runId: 'r', toolCallId: 't', toolName: 'x', registered: true, status: 'running', owner: 'dead' },
      ...{ fence: 1, keys: {}, startedAt: 1, inputDigest: 'd' },
    }
    const session = { tenant: '', sessionId: 'chat', userId: 'ada', createdAt: 1 }
    const puts = [
      { kind: 'session', id: 'session', data: encodeRow(session) },
      { kind: 'call', id: 'r/t', data: encodeRow(call), tags: [ownerTag('dead')] },
    ]
    await store.commit({ partition: 's//chat', puts })
    expect(await holdpoint.recover()).toEqual({ recovered: 1 })
    await vi.waitFor(() => expect(ran).toEqual([1]))
    // The node is remembered for as long as something of it is left.
    expect((await store.byTag(ownerTag('dead'))).rows).toHaveLength(12)
    expect((await store.load([{ partition: nodesPartition, kind: 'node', id: 'dead' }])).rows[0]).not.toBeNull()
  })

  test('an inbox and a snapshot omit unreadable rows and are marked as incomplete [HP-SNP-4] [R9b.4]', async () => {
    const store = fresh()
    const { holdpoint, someone } = world(store)
    const context = holdpoint.session('chat', ADA).toolCall({ runId: 'r', toolCallId: 't', toolName: 'x' })
    const asked = context.approve({ prompt: 'Sure?', whenUnavailable: 'wait' })
    const question = await someone.next()
    expect(await someone.snapshot()).not.toHaveProperty('incomplete')
    expect(await engineOf(holdpoint).inbox(ADA, {})).not.toHaveProperty('incomplete')
    const tags = [inboxTag('', 'ada'), questionTag('x')]
    await poison(store, { partition: 's//chat', kind: 'question', tags }, 4)
    await poison(store, { partition: 's//chat', kind: 'ended' }, 4)
    await poison(store, { partition: 's//chat', kind: 'run' }, 4)
    const page = await engineOf(holdpoint).inbox(ADA, {})
    expect(page.incomplete).toBe(true)
    expect(page.items.map(({ interaction }) => interaction.request.interactionId)).toEqual([question.interactionId])
    const snapshot = await someone.snapshot()
    expect(snapshot.incomplete).toBe(true)
    expect(snapshot.interactions.map(({ request }) => request.interactionId)).toEqual([question.interactionId])
    expect(snapshot.runs).toMatchObject([{ runId: 'r' }])
    expect((await someone.answer(question, { action: 'approve' })).status).toBe(200)
    expect(await asked).toMatchObject({ scope: 'once' })
    // The run and the whole session can be ended as well.
    const waiting = context
      .approve({ prompt: 'And this?', rememberAs: 2, whenUnavailable: 'wait' })
      .catch((error) => error)
    await someone.next()
    expect((await engineOf(holdpoint).cancelRun(ADA, 'chat', { type: 'cancel_run', runId: 'r' } as never)).status).toBe(
      200,
    )
    expect(await waiting).toMatchObject({ outcome: 'cancelled' })
    await holdpoint.eraseUser(ADA)
    expect(await store.list('s//chat', 'question')).toEqual([])
  })
}

describe('unreadable rows on memory', () => suite(() => memoryStore()))
await onStores('unreadable rows', ['sqlite', 'postgres', 'redis'], (makeWorld) =>
  suite(() => openStore(makeWorld().store)),
)

test('unreadable rows keep no others from being dropped by retention [R9b.5]', async () => {
  const { retain } = await import('../../src/engine/upkeep/retention.ts')
  const { kernel, store, partition } = bareKernel()
  await kernel.ready()
  for (const kind of ['ended', 'call', 'upload']) await poison(store, { partition, kind, due: 1 })
  const puts = [{ kind: 'flow', id: 'old', data: encodeRow({ flowId: 'old' }), due: 2 }]
  await store.commit({ partition, puts })
  await retain(kernel)
  expect(await store.list(partition, 'flow')).toEqual([])
})

test('unreadable presence keeps no vanished client and no old look in the store [R9b.8]', async () => {
  const { kernel, store, clock } = bareKernel({ timing: { presenceMs: 60_000 } })
  await kernel.ready()
  for (const kind of ['presence', 'looked']) await poison(store, { partition: 'p//bad', kind, due: 1 })
  await kernel.presence.touch({ tenant: '', sessionId: 'chat' }, { clientId: 'tab', userId: 'ada' })
  const puts = [{ kind: 'looked', id: 'ada', data: encodeRow({ userId: 'ada', at: 1 }), due: 2 }]
  await store.commit({ partition: 'p//chat', puts })
  await clock.advance('2h')
  expect([await store.list('p//chat', 'presence'), await store.list('p//chat', 'looked')]).toEqual([[], []])
  expect(await store.list('p//bad', 'presence', { limit: 1 })).toMatchObject([{ version: 1 }])
})
