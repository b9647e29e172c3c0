import { expect, test } from 'vitest'
import { bareKernel } from '../../../test/engine/support/bare-kernel.ts'
import { callRefs, claimCall } from './claim-call.ts'

test('a commit keeps the rows for the end of the call in memory, for a short time and until another write to the call or run', async () => {
  const { kernel, clock, partition, execution, put, row } = bareKernel()
  const at = execution({}, { registered: true })
  const claim = () =>
    kernel.transact(partition, async (tx) => claimCall(kernel, tx, at, await tx.read(...callRefs(at))))
  await claim()
  kernel.calls.register(at)
  const known = { now: clock.now(), find: () => null }
  const left = () => {
    kernel.calls.keepLatestRows(at, known)
    return at
  }
  expect(left().takeLatestRows(kernel.environment.now() + 2.5)).toEqual({ ...known, now: known.now + 2 })
  expect(at.takeLatestRows(kernel.environment.now())).toBeUndefined()
  expect(left().takeLatestRows(kernel.environment.now() + 251)).toBeUndefined()
  left()
  await put('idle', 'run-1', { runId: 'run-1', status: 'running', waiting: {} })
  expect(at.latestRows).toBeUndefined()
  left()
  await put('idle', 'run-2', { runId: 'run-2', status: 'cancelled', waiting: {} })
  expect(at.latestRows).toBeDefined()
  await put('call', at.id, (await row('call', at.id))!)
  expect([at.latestRows, at.endedBy]).toEqual([undefined, undefined])
  left()
  await kernel.store.commit({ partition, events: ['{"type":"content"}'] })
  await clock.settle()
  expect(at.latestRows).toBeUndefined()
  // A bare call never reports its end.
  const bare = execution({ toolCallId: 'bare' })
  kernel.calls.keepLatestRows(bare, known)
  expect(bare.latestRows).toBeUndefined()
})

test('an execution is notified at once if this process cancels its run or takes over its call', async () => {
  const { kernel, partition, execution, put, row } = bareKernel()
  const claimed = async (id: string, runId: string) => {
    const at = execution({ toolCallId: id, runId })
    await kernel.transact(partition, async (tx) => claimCall(kernel, tx, at, await tx.read(...callRefs(at))))
    return at
  }
  const [one, two, three] = [await claimed('a', 'run-1'), await claimed('b', 'run-2'), await claimed('c', 'run-3')]
  await put('idle', 'run-1', { runId: 'run-1', status: 'cancelled', reason: 'enough', waiting: {} })
  await put('call', two.id, { ...(await row('call', two.id))!, fence: 9 })
  expect([one.endedBy, two.endedBy, three.endedBy]).toMatchObject([
    { outcome: 'cancelled', reason: 'enough' },
    { code: 'ownership_lost' },
    undefined,
  ])
})
