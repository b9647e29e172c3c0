import { describe, expect, test } from 'vitest'
import { bareKernel } from '../../../test/engine/support/bare-kernel.ts'
import type { RunRow } from '../state/rows.ts'
import { callRefs, claimCall } from './claim-call.ts'

/** A running call of this process, and the number of store reads about it. */
async function atWork() {
  const room = bareKernel()
  const { kernel, partition, store, clock } = room
  const execution = room.execution()
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

describe('code that is at work here', () => {
  test('continues as long as its call does not change', async () => {
    const { at, check, put, looks } = await atWork()
    await put('idle', 'run-1', { ...cancelled, status: 'completed' })
    await check()
    expect([at.signal.aborted, looks.at(-1)]).toEqual([false, 2])
  })
  test('is notified that its run was cancelled elsewhere, with the reason', async () => {
    const { at, check, put } = await atWork()
    await put('idle', 'run-1', cancelled)
    await check()
    expect(at.signal.reason).toMatchObject({ outcome: 'cancelled', reason: 'enough' })
  })
  test('is notified that another process took its call over, or that it was erased', async () => {
    for (const erased of [false, true]) {
      const { at, check, put, row, store, partition } = await atWork()
      if (erased) await store.erase(partition)
      else await put('call', at.id, { ...(await row('call', at.id))!, fence: 2 })
      await check()
      expect(at.signal.reason).toMatchObject({ code: 'ownership_lost' })
    }
  })
  test('that owns nothing yet loses nothing', async () => {
    const { kernel, execution, check } = await atWork()
    const other = execution({ toolCallId: 'call-2' })
    kernel.calls.hold(other)
    await check()
    expect(other.signal.aborted).toBe(false)
  })
  test('each execution is notified of its own call', async () => {
    const { kernel, partition, execution, at, check, put } = await atWork()
    const other = execution({ toolCallId: 'call-2', runId: 'run-2' })
    await kernel.transact(partition, async (tx) => claimCall(kernel, tx, other, await tx.read(...callRefs(other))))
    await put('idle', 'run-2', { ...cancelled, runId: 'run-2' })
    await check()
    expect([at.signal.aborted, other.signal.aborted]).toEqual([false, true])
  })
})

describe('the store is asked', () => {
  test('for nothing where nothing is at work, or where all of it waits: its waiters look', async () => {
    const { kernel, at, check, looks } = await atWork()
    kernel.ownershipWatch.check('s//another')
    at.waiting = 1
    await check()
    expect(looks).toEqual([])
  })
  test('once more, and not ten times, for what happens while it looks', async () => {
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
  test('again after it was away; the log says that it was', async () => {
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
