import { describe, expect, test } from 'vitest'
import { bareKernel } from '../../../test/engine/support/bare-kernel.ts'
import { callRefs, claimCall } from '../calls/claim-call.ts'
import type { QuestionRow, RunRow } from '../state/rows.ts'
import { cancelQuestion, cancelRun, cancelSession, declineWaiting } from './cancel.ts'

/** Questions of runs that wait for them, and a record of the notifications. */
async function asked(...questions: (Partial<QuestionRow> & { id: string })[]) {
  const room = bareKernel()
  const { kernel, partition } = room
  const told: string[] = []
  kernel.waiters.check = (_partition, id) => void told.push(`look at ${id}`)
  // Without this check the waiter must be notified directly.
  kernel.ownershipWatch.check = () => {}
  kernel.tools.resume = async (_partition, call) => {
    told.push(`run ${call}`)
    return null
  }
  const runs = new Map<string, RunRow>()
  for (const changes of questions) {
    const { id, runId, kind } = await room.ask(changes)
    const { waiting } = runs.get(runId) ?? { waiting: {} }
    runs.set(runId, { runId, status: 'awaiting_approval', waiting: { ...waiting, [id]: kind } })
  }
  for (const run of runs.values()) await room.put('run', run.runId, run)
  return {
    ...room,
    told,
    said: async () =>
      (await room.log()).map(
        (event) => `${event.type} ${event.interactionId ?? event.runId} ${event.reason ?? event.status}`,
      ),
    work: async (identity: Parameters<typeof room.execution>[0] = {}) => {
      const execution = room.execution(identity, { registered: true })
      await kernel.transact(partition, async (tx) =>
        claimCall(kernel, tx, execution, await tx.read(...callRefs(execution))),
      )
      return execution
    },
  }
}

describe('cancelling a question', () => {
  test('ends it, continues its run, and notifies the waiter with the reason', async () => {
    const { kernel, partition, row, said, told, reported, clock } = await asked({ id: 'q1' })
    expect(await cancelQuestion(kernel, partition, 'q1', 'changed my mind')).toBe(true)
    expect(await row('ended', 'q1')).toMatchObject({
      ...{ status: 'cancelled', endedAt: clock.now() },
      outcome: { type: 'refused', outcome: 'cancelled', reason: 'changed my mind' },
    })
    expect(await row('idle', 'run-1')).toEqual({ runId: 'run-1', status: 'running', waiting: {} })
    expect(await said()).toEqual(['interaction_closed q1 cancelled', 'run_status run-1 running'])
    expect([told, reported]).toMatchObject([['look at q1'], [{ type: 'closed', refusal: 'cancelled' }]])
  })
  test('without a reason records none, and runs a suspended tool again', async () => {
    const { kernel, partition, row, told } = await asked({ id: 'q1', waiter: 'suspended' })
    await cancelQuestion(kernel, partition, 'q1')
    expect((await row('ended', 'q1'))?.outcome).toStrictEqual({ type: 'refused', outcome: 'cancelled' })
    expect(told).toEqual(['look at q1', 'run run-1/call-1'])
  })
  test('has no effect if it has ended or was never asked', async () => {
    const { kernel, partition, said } = await asked({ id: 'q1', status: 'expired', outcome: { type: 'failed' } })
    expect(await cancelQuestion(kernel, partition, 'q1')).toBe(false)
    expect(await cancelQuestion(kernel, partition, 'unknown')).toBe(false)
    expect(await said()).toEqual([])
  })
  test('for accounts emits auth_result with the reason or else the status', async () => {
    const request = { type: 'auth_needed', integrations: ['slack'] } as unknown as QuestionRow['request']
    const connect = { kind: 'connect', request } as const
    const { kernel, partition, said } = await asked({ id: 'q1', ...connect }, { id: 'q2', ...connect })
    await cancelQuestion(kernel, partition, 'q1')
    await cancelQuestion(kernel, partition, 'q2', 'enough')
    expect((await said()).filter((one) => one.startsWith('auth'))).toEqual([
      'auth_result q1 cancelled',
      'auth_result q2 enough',
    ])
  })
})

describe('cancelling a run', () => {
  test('ends all of its questions, and those of no other run', async () => {
    const { kernel, partition, row, said, work, told } = await asked(
      { id: 'q1' },
      { id: 'q2', status: 'deferred' },
      { id: 'q3', runId: 'run-2' },
    )
    const [own, other] = [await work(), await work({ runId: 'run-2' })]
    expect(await cancelRun(kernel, partition, 'chat', 'run-1', 'enough')).toBe('cancelled')
    expect(await row('idle', 'run-1')).toEqual({ runId: 'run-1', status: 'cancelled', reason: 'enough', waiting: {} })
    expect((await said()).sort()).toEqual([
      'interaction_closed q1 cancelled',
      'interaction_closed q2 cancelled',
      'run_status run-1 enough',
    ])
    expect(await row('question', 'q3')).toMatchObject({ status: 'open' })
    expect(own.signal.reason).toMatchObject({ outcome: 'cancelled', reason: 'enough' })
    expect(other.signal.aborted).toBe(false)
    expect(told.sort()).toEqual(['look at q1', 'look at q2'])
  })
  test('twice returns `already`, and cancelling an unknown run prevents its start', async () => {
    const { kernel, partition, said, row } = await asked()
    expect(await cancelRun(kernel, partition, 'chat', 'run-9')).toBe('unknown')
    expect(await row('idle', 'run-9')).toMatchObject({ status: 'cancelled' })
    expect(await cancelRun(kernel, partition, 'chat', 'run-9', 'again')).toBe('already')
    expect(await said()).toEqual(['run_status run-9 cancelled'])
  })
  test('that waits for nothing returns `cancelled`', async () => {
    const { kernel, partition, put } = await asked()
    await put('idle', 'run-1', { runId: 'run-1', status: 'completed', waiting: {} })
    expect(await cancelRun(kernel, partition, 'chat', 'run-1')).toBe('cancelled')
  })
})

describe('cancelling a session', () => {
  test('cancels all questions, runs and running tools', async () => {
    const { kernel, partition, row, put, work } = await asked(
      { id: 'q1' },
      { id: 'q2', runId: 'run-2', status: 'answered' },
    )
    await put('run', 'run-3', { runId: 'run-3', status: 'paused', waiting: {} })
    await put('idle', 'run-4', { runId: 'run-4', status: 'running', waiting: {} })
    await put('idle', 'run-5', { runId: 'run-5', status: 'completed', waiting: {} })
    const execution = await work({ runId: 'run-4' })
    const fresh = await work({ runId: 'run-6' })
    await cancelSession(kernel, partition, 'chat', 'erased')
    for (const runId of ['run-1', 'run-2', 'run-3', 'run-4', 'run-6']) {
      expect(await row('idle', runId), runId).toEqual({ runId, status: 'cancelled', reason: 'erased', waiting: {} })
    }
    expect(await row('idle', 'run-5')).toMatchObject({ status: 'completed' })
    for (const id of ['q1', 'q2']) expect(await row('ended', id)).toMatchObject({ status: 'cancelled' })
    for (const one of [execution, fresh]) expect(one.signal.reason).toMatchObject({ reason: 'erased' })
  })
})

describe('declineWaiting, for a user who continues without answering,', () => {
  test('declines what waits for an answer, and leaves what is deferred or answered', async () => {
    const { kernel, partition, row, said, told } = await asked(
      { id: 'q1' },
      { id: 'q2', status: 'timing_out', lookAgainAt: 1 },
      { id: 'q3', status: 'deferred', waiter: 'none' },
      { id: 'q4', status: 'answered' },
    )
    expect(await declineWaiting(kernel, partition, 'chat')).toEqual(['q1', 'q2'])
    expect(await row('ended', 'q1')).toMatchObject({ outcome: { outcome: 'superseded', reason: 'declined' } })
    expect((await row('run', 'run-1'))?.waiting).toEqual({ q3: 'approval', q4: 'approval' })
    expect(await said()).toEqual([
      'interaction_closed q1 superseded',
      'interaction_closed q2 superseded',
      // A call that asked two things is declined once.
      'tool_call_complete run-1 declined',
    ])
    expect(told).toEqual(['look at q1', 'look at q2'])
  })
  test('completes each call as declined, and every run continues', async () => {
    const { kernel, partition, row, log } = await asked(
      { id: 'q1' },
      { id: 'q2', runId: 'run-2', call: 'run-2/call-2', toolCallId: 'call-2', toolName: 'other' },
    )
    await declineWaiting(kernel, partition, 'chat')
    for (const runId of ['run-1', 'run-2']) expect(await row('idle', runId)).toMatchObject({ status: 'running' })
    const complete = { type: 'tool_call_complete', sessionId: 'chat', status: 'declined' }
    expect((await log()).filter(({ type }) => type === 'tool_call_complete')).toMatchObject([
      { ...complete, runId: 'run-1', toolCallId: 'call-1', toolName: 'delete_files' },
      { ...complete, runId: 'run-2', toolCallId: 'call-2', toolName: 'other' },
    ])
    expect((await log()).filter(({ type }) => type === 'run_status')).toHaveLength(2)
  })
  test('also declines questions of inactive and of unknown runs', async () => {
    const { kernel, partition, row, put, drop, store } = await asked({ id: 'q1' }, { id: 'q2', runId: 'run-2' })
    for (const runId of ['run-1', 'run-2']) await drop('run', runId)
    await put('idle', 'run-1', { runId: 'run-1', status: 'completed', waiting: {} })
    await declineWaiting(kernel, partition, 'chat')
    expect(await row('idle', 'run-1')).toMatchObject({ status: 'completed' })
    expect(await row('idle', 'run-2')).toMatchObject({ status: 'running' })
    expect(await store.list(partition, 'question')).toEqual([])
  })
})
