import { describe, expect, test, vi } from 'vitest'
import { bareKernel } from '../../../test/engine/support/bare-kernel.ts'
import { toolContext } from '../context/create-tool-context.ts'
import { nodesPartition } from '../records/keys.ts'
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
    const at = execution({ toolCallId: id, runId }, { registered: true })
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

describe('an execution whose end is not reported', () => {
  const gate = { registered: true, waiter: 'gate' } as const
  const bare = { registered: false, waiter: 'inline' } as const

  test('leaves the list when its gate rejects, so that its process sends no heartbeat for 50 calls that others resume', async () => {
    const { kernel, execution, clock, row } = bareKernel()
    for (let n = 0; n < 50; n++) {
      const ctx = toolContext({
        kernel,
        execution: execution({ toolCallId: `call-${n}` }, gate),
        detachSignal: undefined,
      })
      if (n % 2 === 0) await ctx.once('input', () => n)
      await expect(ctx.approve({ prompt: 'May it?', timeoutMs: 3_600_000 })).rejects.toMatchObject({
        code: 'interaction_waiting',
      })
    }
    expect([kernel.calls.size, kernel.calls.partitions()]).toEqual([0, []])
    const before = await row('node', kernel.incarnation, nodesPartition)
    await clock.jump(10 * kernel.settings.leaseMs)
    expect(await row('node', kernel.incarnation, nodesPartition)).toEqual(before)
  })

  test.each([
    ['a gate', gate],
    ['a bare call', bare],
  ])(
    'is listed while an effect of %s runs, and its signal aborts if the run is cancelled then',
    async (_what, options) => {
      const { kernel, execution, put } = bareKernel()
      const at = execution({}, options)
      const ctx = toolContext({ kernel, execution: at, detachSignal: undefined })
      let end: (() => void) | undefined
      const effect = ctx.once('effect', () => new Promise<void>((resolve) => (end = resolve)))
      await vi.waitFor(() => expect(end).toBeDefined())
      expect(kernel.calls.in(at.partition)).toEqual([at])
      await put('idle', 'run-1', { runId: 'run-1', status: 'cancelled', waiting: {} })
      expect(at.signal.aborted).toBe(true)
      end?.()
      await effect.catch(() => {})
      expect(kernel.calls.size).toBe(0)
    },
  )

  test('ends an older execution of its call in this process', async () => {
    const { kernel, partition, execution } = bareKernel()
    const [older, newer] = [execution({}, { registered: true }), execution({}, gate)]
    kernel.calls.claimed(older, 1)
    kernel.calls.claimed(newer, 2)
    expect([older.endedBy, kernel.calls.size, kernel.calls.in(partition)]).toMatchObject([
      { code: 'ownership_lost' },
      0,
      [],
    ])
  })
})
