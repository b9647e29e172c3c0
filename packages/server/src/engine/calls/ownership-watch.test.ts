import { describe, expect, test } from 'vitest'
import { bareKernel } from '../../../test/engine/support/bare-kernel.ts'
import type { RunRow } from '../state/rows.ts'
import { callRefs, claimCall } from './claim-call.ts'

/** A running call of this process, and the number of store reads about it. */
async function atWork() {
  const room = bareKernel()
  const { kernel, partition, store, clock } = room
  const execution = room.execution({}, { registered: true })
  await kernel.transact(partition, async (tx) =>
    claimCall(kernel, tx, execution, await tx.read(...callRefs(execution))),
  )
  const load = store.load
  const looks: number[] = []
  store.load = async (refs) => {
    looks.push(refs.length)
    return await load(refs)
  }
  return {
    ...room,
    at: execution,
    looks,
    check: async () => {
      kernel.ownershipWatch.check(partition)
      await clock.settle()
    },
  }
}
const cancelled: RunRow = { runId: 'run-1', status: 'cancelled', reason: 'enough', waiting: {} }

describe('a running execution', () => {
  test('continues as long as its call does not change', async () => {
    const { at, check, put, looks } = await atWork()
    await put('idle', 'run-1', { ...cancelled, status: 'completed' })
    await check()
    expect([at.signal.aborted, looks.at(-1)]).toEqual([false, 2])
  })
  test('is cancelled with the reason if its run is cancelled elsewhere', async () => {
    const { at, check, put } = await atWork()
    await put('idle', 'run-1', cancelled)
    await check()
    expect(at.signal.reason).toMatchObject({ outcome: 'cancelled', reason: 'enough' })
  })
  test('loses its call if another process takes it over or it is erased', async () => {
    for (const erased of [false, true]) {
      const { at, check, put, row, store, partition } = await atWork()
      if (erased) await store.erase(partition)
      else await put('call', at.id, { ...(await row('call', at.id))!, fence: 2 })
      await check()
      expect(at.signal.reason).toMatchObject({ code: 'ownership_lost' })
    }
  })
  test('loses nothing if it owns no call yet', async () => {
    const { kernel, execution, check } = await atWork()
    const other = execution({ toolCallId: 'call-2' })
    kernel.calls.register(other)
    await check()
    expect(other.signal.aborted).toBe(false)
  })
  test('is notified of its own call only', async () => {
    const { kernel, partition, execution, at, check, put } = await atWork()
    const other = execution({ toolCallId: 'call-2', runId: 'run-2' }, { registered: true })
    await kernel.transact(partition, async (tx) => claimCall(kernel, tx, other, await tx.read(...callRefs(other))))
    await put('idle', 'run-2', { ...cancelled, runId: 'run-2' })
    await check()
    expect([at.signal.aborted, other.signal.aborted]).toEqual([false, true])
  })
})

describe('the ownership watch', () => {
  test('reads nothing if nothing runs or everything waits for an answer', async () => {
    const { kernel, at, check, looks } = await atWork()
    kernel.ownershipWatch.check('s//another')
    at.waiting = 1
    await check()
    expect(looks).toEqual([])
  })
  test('reads once more for any number of changes during a read', async () => {
    const { kernel, partition, clock, looks } = await atWork()
    looks.length = 0
    kernel.ownershipWatch.check(partition)
    for (let n = 0; n < 10; n++) kernel.ownershipWatch.check(partition)
    await clock.settle()
    expect(looks).toEqual([2, 2])
    kernel.ownershipWatch.checkAll()
    await clock.settle()
    expect(looks).toEqual([2, 2, 2])
  })
  test('reads again after the store was unavailable, which is logged', async () => {
    const { store, check, put, at, logged } = await atWork()
    const load = store.load
    store.load = () => Promise.reject(new Error('away'))
    await check()
    expect(logged).toEqual([['warn', 'running calls could not be looked up', expect.anything()]])
    store.load = load
    await put('idle', 'run-1', cancelled)
    await check()
    expect(at.signal.aborted).toBe(true)
  })
})
