import { describe, expect, test } from 'vitest'
import { bareKernel } from '../../../test/engine/support/bare-kernel.ts'
import { digestOf } from '../../base/canonical-json.ts'
import { callRefs, claimCall } from '../calls/claim-call.ts'
import { nodesPartition } from '../records/keys.ts'
import type { CallRow } from '../state/rows.ts'
import { beginCall } from './begin-call.ts'

const input = { files: 3 }

function beginning() {
  const room = bareKernel()
  const registered = (identity = {}) => room.execution(identity, { registered: true })
  const { id } = registered()
  return {
    ...room,
    id,
    begin: (how: { input: unknown } | { again: true } = { input }, identity = {}) =>
      beginCall(room.kernel, registered(identity), how),
    /** Changes the call since it was begun. */
    async become(changes: Partial<CallRow>) {
      const { owner: _gone, ...call } = (await room.row('call', id)) as CallRow
      await room.put('call', id, { ...call, ...changes })
    },
  }
}

test('a call begins once: its input is stored, and log and host are notified', async () => {
  const { begin, row, id, kernel, log, reported, clock } = beginning()
  const begun = await begin()
  const call = await row('call', id)
  expect(begun).toEqual({ type: 'claimed', call, now: clock.now() })
  expect(call).toMatchObject({
    status: 'running',
    owner: kernel.incarnation,
    input,
    inputDigest: digestOf(input),
    fence: 1,
  })
  await begin()
  expect(await row('call', id)).toMatchObject({ input, inputDigest: digestOf(input), fence: 2 })
  const started = { runId: 'run-1', toolCallId: 'call-1', toolName: 'delete_files' }
  expect(await log()).toMatchObject([{ type: 'tool_call_start', sessionId: 'chat', ...started, input }])
  expect(reported).toEqual([{ type: 'call_started', at: clock.now(), tenant: '', sessionId: 'chat', ...started }])
})

describe('beginning a call with a known id', () => {
  test.each([
    ['with another input', { input: { files: 4 } }, {}],
    ['with another tool', { input }, { toolName: 'format_disk' }],
  ])('%s is rejected with call_mismatch', async (_what, how, identity) => {
    const { begin } = beginning()
    await begin()
    await expect(begin(how, identity)).rejects.toMatchObject({
      code: 'call_mismatch',
      details: { runId: 'run-1', toolCallId: 'call-1' },
    })
  })
  test('that has finished returns its result, or an error if there is none', async () => {
    const { begin, become } = beginning()
    await begin()
    await become({ status: 'finished', result: { status: 'completed', result: 7 } })
    expect(await begin()).toEqual({ type: 'finished', result: { status: 'completed', result: 7 } })
    await become({ status: 'finished', result: undefined as never })
    expect(await begin()).toMatchObject({ type: 'finished', result: { status: 'error', code: 'tool_failed' } })
  })
})

describe('beginning a call that another process runs', () => {
  test.each([
    ['leaves it to a live process', 1, 'elsewhere'],
    ['claims it if the lease of the process has expired', 0, 'claimed'],
    ['claims it if the process is unknown', undefined, 'claimed'],
  ])('%s', async (_what, left, type) => {
    const { begin, become, put, clock } = beginning()
    await begin()
    await become({ owner: 'another' })
    if (left !== undefined) await put('node', 'another', { until: clock.now() + left }, nodesPartition)
    expect(await begin()).toMatchObject({ type })
  })
  test('claims it if it runs in this process under a lost execution', async () => {
    const { begin, put, clock, kernel } = beginning()
    await begin()
    await put('node', kernel.incarnation, { until: clock.now() + 1_000 }, nodesPartition)
    expect(await begin()).toMatchObject({ type: 'claimed', call: { fence: 2 } })
  })
  test('claims it if it is suspended', async () => {
    const { begin, become, put, clock } = beginning()
    await begin()
    await become({ owner: 'another', status: 'suspended', waiting: [] })
    await put('node', 'another', { until: clock.now() + 1_000 }, nodesPartition)
    expect(await begin()).toMatchObject({ type: 'claimed' })
  })
})

describe('beginning a call that waits for answers', () => {
  const suspended = async (...waiting: string[]) => {
    const room = beginning()
    await room.begin()
    await room.become({ status: 'suspended', waiting })
    for (const [nth, id] of waiting.entries()) {
      await room.ask({ id, waiter: 'suspended', expiresAt: room.clock.now() + 60_000 + nth })
    }
    return room
  }
  test('returns its questions while all of them are open', async () => {
    const { begin, clock } = await suspended('q1', 'q2')
    expect(await begin()).toEqual({ type: 'suspended', interactionIds: ['q1', 'q2'] })
    await clock.jump(59_999)
    expect(await begin()).toMatchObject({ type: 'suspended' })
    await clock.jump(1)
    expect(await begin()).toMatchObject({ type: 'claimed' })
  })
  test('continues it if one question was settled', async () => {
    const { begin, ask, row, id } = await suspended('q1', 'q2')
    await ask({ id: 'q2', status: 'answered', waiter: 'suspended' })
    expect(await begin()).toMatchObject({ type: 'claimed' })
    // The next stop is written when it happens.
    expect(await row('call', id)).not.toHaveProperty('waiting')
  })
  test('continues it if it runs again, whatever questions are open', async () => {
    const { begin } = await suspended('q1')
    expect(await begin({ again: true })).toMatchObject({ type: 'claimed', call: { input } })
  })
  test('continues it if it waits for no question', async () => {
    const { begin } = await suspended()
    expect(await begin()).toMatchObject({ type: 'claimed' })
  })
})

describe('beginning a call of a cancelled run', () => {
  test('records, emits and delivers its cancellation if it was suspended', async () => {
    const { begin, become, put, row, id, log, store, clock, reported } = beginning()
    await begin()
    await become({ status: 'suspended', waiting: ['q1'] })
    await put('idle', 'run-1', { runId: 'run-1', status: 'cancelled', reason: 'enough', waiting: {} })
    const result = { status: 'refused', outcome: 'cancelled', reason: 'enough' }
    expect(await begin()).toEqual({ type: 'finished', result })
    const call = await row('call', id)
    expect(call).toMatchObject({ status: 'finished', fence: 2, result, finishedAt: clock.now() })
    expect(call).not.toHaveProperty('waiting')
    expect((await log()).at(-1)).toMatchObject({ type: 'tool_call_complete', status: 'cancelled' })
    expect(reported.at(-1)).toMatchObject({ type: 'call_finished', status: 'refused' })
    expect((await store.due('delivery')).rows).toHaveLength(1)
  })
  test('rejects it without a record if it only asked at its gate', async () => {
    const { begin, put, row, id, kernel, partition, execution } = beginning()
    const gate = execution({}, { registered: true, waiter: 'gate' })
    await kernel.transact(partition, async (tx) => claimCall(kernel, tx, gate, await tx.read(...callRefs(gate))))
    await put('idle', 'run-1', { runId: 'run-1', status: 'cancelled', waiting: {} })
    await expect(begin()).rejects.toMatchObject({ outcome: 'cancelled' })
    expect(await row('call', id)).toMatchObject({ status: 'suspended', fence: 1 })
  })
})

test('beginning a call that asked at its gate claims it', async () => {
  const { begin, kernel, partition, execution, log } = beginning()
  const gate = execution({}, { registered: true, waiter: 'gate' })
  await kernel.transact(partition, async (tx) => claimCall(kernel, tx, gate, await tx.read(...callRefs(gate))))
  expect(await log()).toEqual([])
  expect(await begin()).toMatchObject({ type: 'claimed', call: { fence: 2, input } })
  expect(await log()).toMatchObject([{ type: 'tool_call_start', input }])
})
