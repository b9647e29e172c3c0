import { createHoldpoint, type HoldpointOptions } from '@holdpoint/server'
import { memoryStore } from '@holdpoint/server/memory'
import type { Store } from '@holdpoint/server/store'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { encodeRow } from '../../src/engine/records/row-codec.ts'
import { engineOf } from '../../src/http/mounted.ts'
import { openStore } from '../nodes/open-store.ts'
import { onStores } from '../nodes/places.ts'

const quiet = { debug() {}, info() {}, warn() {}, error() {} }

async function backlog(store: Store, count: number) {
  const puts = Array.from({ length: count }, (_, n) => {
    const row = {
      ...{
        deliveryId: `d${n}`,
        tenant: '',
        sessionId: 'chat',
        userId: 'ada',
        runId: 'r',
        toolCallId: 't',
        toolName: 'x',
      },
      ...{ at: Date.now(), attempts: 0, type: 'tool_result', result: { status: 'completed', result: n } },
    }
    return { kind: 'delivery', id: `d${n}`, data: encodeRow(row), due: 1 + n }
  })
  await store.commit({ partition: 's//chat', puts })
}

function suite(make: () => Store) {
  const start = (options: HoldpointOptions = {}) => {
    const holdpoint = createHoldpoint({ store: make(), name: crypto.randomUUID(), logger: quiet, ...options })
    onTestFinished(() => holdpoint.close())
    return holdpoint
  }

  test('a backlog of deliveries is worked off 32 at a time [R9i.1]', async () => {
    let [running, most, done] = [0, 0, 0]
    let open = () => {}
    const full = new Promise<void>((resolve) => {
      open = resolve
    })
    const holdpoint = start({
      hooks: {
        onToolResult: async () => {
          most = Math.max(most, ++running)
          if (running === 32) open()
          await full
          await new Promise((resolve) => setTimeout(resolve, 5))
          running--
          done++
        },
      },
    })
    await backlog(engineOf(holdpoint).store, 200)
    await holdpoint.tick()
    await vi.waitFor(() => expect(done).toBe(200), 20_000)
    expect(most).toBe(32)
    await vi.waitFor(async () => expect(await engineOf(holdpoint).store.list('s//chat', 'delivery')).toEqual([]), 5_000)
  }, 30_000)

  test('a delivery that fails too often is a dead letter, which is listed, retried and dropped [R9i.4]', async () => {
    let fails = true
    const calls: string[] = []
    const holdpoint = start({
      hooks: {
        deliveries: { maxAttempts: 1 },
        onToolResult: ({ deliveryId }) => {
          calls.push(deliveryId)
          if (fails) throw new Error('no')
        },
      },
    })
    await backlog(engineOf(holdpoint).store, 2)
    await holdpoint.tick()
    const dead = async () => (await holdpoint.deliveries.list({ state: 'dead' })).deliveries
    await vi.waitFor(async () => expect(await dead()).toHaveLength(2), 5_000)
    expect(await dead()).toMatchObject([
      { id: 'd0', type: 'tool_result', sessionId: 'chat', userId: 'ada', toolName: 'x', attempts: 1 },
      { id: 'd1' },
    ])
    await holdpoint.tick()
    expect(calls.sort()).toEqual(['d0', 'd1'])
    fails = false
    expect(await holdpoint.deliveries.drop('d1')).toBe(true)
    expect(await holdpoint.deliveries.retry('d0')).toBe(true)
    expect(await holdpoint.deliveries.retry('d1')).toBe(false)
    await vi.waitFor(() => expect(calls.sort()).toEqual(['d0', 'd0', 'd1']), 5_000)
    await vi.waitFor(async () => expect(await engineOf(holdpoint).store.list('s//chat', 'delivery')).toEqual([]), 5_000)
    expect(await dead()).toEqual([])
  }, 20_000)

  test('a delivery that failed once is listed as failing, and one whose hook hangs as running', async () => {
    const holdpoint = start({
      hooks: {
        onToolResult: ({ deliveryId }) => {
          if (deliveryId === 'd0') throw new Error('no')
          return new Promise(() => {})
        },
      },
    })
    await backlog(engineOf(holdpoint).store, 2)
    void holdpoint.tick()
    const ids = async (state: 'failing' | 'running') =>
      (await holdpoint.deliveries.list({ state })).deliveries.map(({ id }) => id)
    await vi.waitFor(async () => expect([await ids('failing'), await ids('running')]).toEqual([['d0'], ['d1']]), 5_000)
    expect(await holdpoint.deliveries.retry('d1')).toBe(false)
  }, 20_000)
}

describe('deliveries on memory', () => suite(() => memoryStore()))

test('a tick yields to other work while other claims occupy all places', async () => {
  const memory = memoryStore()
  let reads = 0
  const now = () => {
    // Without a limit, a tick that never pauses would hang this test instead of failing it.
    if (++reads > 50_000) throw new Error('the tick reads the clock without a pause')
    return Date.now()
  }
  let done = 0
  const store: Store = {
    ...memory,
    commit: (commit) => new Promise((resolve) => setImmediate(() => resolve(memory.commit(commit)))),
  }
  const holdpoint = createHoldpoint({
    ...{ store, name: crypto.randomUUID(), logger: quiet, environment: { now } },
    hooks: { onToolResult: () => void done++ },
  })
  onTestFinished(() => holdpoint.close())
  await backlog(engineOf(holdpoint).store, 200)
  await Promise.all([holdpoint.tick(), holdpoint.tick(), holdpoint.tick()])
  await vi.waitFor(() => expect(done).toBe(200), 5_000)
})

await onStores('deliveries', ['sqlite', 'postgres', 'redis'], (world) => suite(() => openStore(world().store)))
