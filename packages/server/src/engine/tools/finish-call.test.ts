import { describe, expect, test } from 'vitest'
import { bareKernel } from '../../../test/engine/support/bare-kernel.ts'
import { putQuestion } from '../records/question-records.ts'
import type { CallResult, QuestionRow } from '../state/rows.ts'
import { beginCall } from './begin-call.ts'
import { finishCall } from './finish-call.ts'
import { suspendCall } from './suspend-call.ts'

const done: CallResult = { status: 'completed', result: 7 }

/** A call that runs, with questions that it asked. */
async function running(...asked: Partial<QuestionRow>[]) {
  return await runningIn({ hooks: true }, ...asked)
}

async function runningIn({ hooks }: { hooks: boolean }, ...asked: Partial<QuestionRow>[]) {
  const room = bareKernel(hooks ? { hooks: { onToolResult() {} } } : {})
  const execution = room.execution({}, { registered: true })
  await beginCall(room.kernel, execution, { input: {} })
  const call = (await room.row('call', execution.id))!
  const keys = asked.map(({ id }) => [id, { interactionId: id!, attempt: 1, digest: 'd' }])
  await room.put('call', execution.id, { ...call, keys: Object.fromEntries(keys) })
  for (const question of asked) await room.ask({ registered: true, ...question })
  const waiting = Object.fromEntries(asked.map(({ id }) => [id, 'approval' as const]))
  if (asked.length > 0) await room.put('run', 'run-1', { runId: 'run-1', status: 'awaiting_approval', waiting })
  return {
    ...room,
    running: execution,
    finish: (result = done, waited = true) => finishCall(room.kernel, execution, result, waited),
    deliveries: async () => (await room.store.list(room.partition, 'delivery')).map(({ data }) => JSON.parse(data).d),
    dueIn: async () => {
      const { rows, nextDue, now } = await room.store.due('delivery')
      return rows.length > 0 ? 0 : nextDue! - now
    },
  }
}

describe('finishing a call', () => {
  test('records the result once with its delivery, and a later caller receives the record', async () => {
    const { finish, row, running: execution, log, reported, deliveries, clock } = await running()
    const first = await finish()
    const call = await row('call', execution.id)
    expect(call).toMatchObject({ status: 'finished', result: done, finishedAt: clock.now(), delivery: first.delivery })
    expect(call).not.toHaveProperty('owner')
    expect(await finish({ status: 'completed', result: 8 })).toStrictEqual(first)
    expect(first.result).toEqual(done)
    expect((await log()).slice(1)).toMatchObject([{ type: 'tool_call_complete', status: 'completed', output: 7 }])
    expect(reported.slice(1)).toMatchObject([{ type: 'call_finished', status: 'completed', toolCallId: 'call-1' }])
    const what = { type: 'tool_result', deliveryId: first.delivery, result: done, attempts: 0, sessionId: 'chat' }
    expect(await deliveries()).toMatchObject([{ ...what, userId: 'ada', runId: 'run-1', toolCallId: 'call-1' }])
  })

  test('returns the stored result also if its record has no delivery', async () => {
    const { finish, put, row, running: execution } = await running()
    await finish()
    const { delivery: _none, ...call } = (await row('call', execution.id))!
    await put('call', execution.id, call)
    expect(await finish()).toStrictEqual({ result: done })
  })

  test.each([
    ['a promise of this process waits for it', true, 15_000],
    ['no promise waits', false, 0],
  ])('delays the delivery if %s', async (_what, waited, ms) => {
    const { finish, dueIn } = await running()
    await finish(done, waited)
    expect(await dueIn()).toBe(ms)
  })

  test('records only the result if a caller waits here and the app has no onToolResult', async () => {
    const { finish, deliveries, row, running: execution } = await runningIn({ hooks: false })
    expect(await finish()).toStrictEqual({ result: done })
    expect(await deliveries()).toEqual([])
    expect(await row('call', execution.id)).toMatchObject({ status: 'finished', result: done })
    expect(await finish()).toStrictEqual({ result: done })
  })

  test('leaves the delivery to a process with onToolResult if no caller waits here', async () => {
    const { finish, deliveries } = await runningIn({ hooks: false })
    await finish(done, false)
    expect(await deliveries()).toMatchObject([{ type: 'tool_result', result: done }])
  })

  test('of a cancelled run records the cancellation, whatever the tool returned', async () => {
    const { finish, put, row, running: execution } = await running()
    await put('idle', 'run-1', { runId: 'run-1', status: 'cancelled', waiting: {} })
    expect((await finish()).result).toStrictEqual({ status: 'refused', outcome: 'cancelled' })
    expect(await row('call', execution.id)).toMatchObject({ result: { outcome: 'cancelled' } })
  })

  test('of a cancelled run leaves it to another process that took it over', async () => {
    const { finish, put, row, running: execution } = await running()
    await put('idle', 'run-1', { runId: 'run-1', status: 'cancelled', waiting: {} })
    await put('call', execution.id, { ...(await row('call', execution.id))!, fence: 9 })
    await expect(finish()).rejects.toMatchObject({ outcome: 'cancelled' })
    expect(await row('call', execution.id)).toMatchObject({ status: 'running', fence: 9 })
  })

  test('leaves it to another process that took it over, also after the end', async () => {
    const { finish, put, row, running: execution } = await running()
    for (const changes of [{ fence: 9 }, { fence: 9, status: 'finished' as const, result: done }]) {
      await put('call', execution.id, { ...(await row('call', execution.id))!, ...changes })
      await expect(finish()).rejects.toMatchObject({ code: 'ownership_lost' })
    }
  })
})

describe('the events of a finished call', () => {
  const told = async (result: CallResult, limits = {}) => {
    const room = await running()
    Object.assign(room.kernel.limits, limits)
    await room.finish(result)
    const { type: _type, timestamp: _at, ...event } = (await room.log()).at(-1)!
    return event
  }
  const call = { sessionId: 'chat', runId: 'run-1', toolCallId: 'call-1', toolName: 'delete_files' }
  test.each([
    [done, { status: 'completed', output: 7 }],
    [
      { status: 'refused', outcome: 'denied', output: 'No.' },
      { status: 'declined', output: 'No.' },
    ],
    [{ status: 'refused', outcome: 'expired' }, { status: 'declined' }],
    [{ status: 'refused', outcome: 'cancelled' }, { status: 'cancelled' }],
    [
      { status: 'error', code: 'tool_failed', message: 'at the internal host' },
      { status: 'error', error: { code: 'tool_failed', message: 'The tool failed.' } },
    ],
  ] as [CallResult, object][])('%j', async (result, event) => {
    expect(await told(result)).toStrictEqual({ ...call, ...event })
  })
  test('contain the output only if it fits into an event', async () => {
    const output = 'x'.repeat(500)
    expect(await told({ status: 'completed', result: output }, { eventBytes: 10_000 })).toHaveProperty('output', output)
    expect(await told({ status: 'completed', result: output }, { eventBytes: 500 })).toStrictEqual({
      ...call,
      status: 'completed',
    })
  })
})

describe('questions that a finished tool did not wait for', () => {
  test('end with it: an open one is superseded, a deferred one stays', async () => {
    const { finish, row, log, reported } = await running({ id: 'q1' }, { id: 'q2', status: 'deferred', waiter: 'none' })
    await finish()
    expect(await row('ended', 'q1')).toMatchObject({ status: 'superseded', outcome: { outcome: 'superseded' } })
    expect(await row('question', 'q2')).toMatchObject({ status: 'deferred' })
    expect((await log()).map(({ type, reason }) => `${type} ${reason}`)).toContain('interaction_closed superseded')
    expect(reported).toContainEqual(
      expect.objectContaining({ type: 'closed', interactionId: 'q1', refusal: 'superseded' }),
    )
    expect(reported).not.toContainEqual(expect.objectContaining({ interactionId: 'q2' }))
  })
  test('continue the run, with an event', async () => {
    const { finish, row, log } = await running({ id: 'q1' })
    await finish()
    expect(await row('idle', 'run-1')).toMatchObject({ status: 'running', waiting: {} })
    expect((await log()).filter(({ type }) => type === 'run_status')).toMatchObject([
      { sessionId: 'chat', runId: 'run-1', status: 'running' },
    ])
  })
  test('that were answered become follow-ups', async () => {
    const answer = { answerId: 'a', digest: '', at: 1, by: { clientId: 'tab' }, action: 'approve' as const }
    const { finish, row, deliveries } = await running({ id: 'q1', status: 'answered', answer })
    await finish()
    expect(await row('ended', 'q1')).toMatchObject({ status: 'answered', outcome: { type: 'follow_up' } })
    const types = (await deliveries()).map(({ type, reason }) => `${type} ${reason}`)
    expect(types.sort()).toEqual(['follow_up orphaned', 'tool_result undefined'])
  })
  test('that ended before are not written again, and neither is the run', async () => {
    const { finish, put, row, kernel, partition } = await running({ id: 'q1' })
    await kernel.transact(partition, async (tx) => {
      const [question] = await tx.read(['question', 'q1'], ['ended', 'q1'])
      putQuestion(tx, { ...question!, status: 'expired', outcome: { type: 'refused', outcome: 'expired' } })
    })
    await put('run', 'run-1', { runId: 'run-1', status: 'paused', waiting: {} })
    await finish()
    expect(await row('run', 'run-1')).toMatchObject({ status: 'paused' })
    expect(await row('ended', 'q1')).toMatchObject({ status: 'expired' })
  })
})

describe('suspending a call', () => {
  test('releases it with the questions at which it stops', async () => {
    const { kernel, row, running: execution, clock } = await running({ id: 'q1' }, { id: 'q2' })
    const suspended = await suspendCall(kernel, execution, ['q1', 'q2'])
    const call = await row('call', execution.id)
    expect(suspended).toEqual({ type: 'suspended', call, now: clock.now() })
    expect(call).toMatchObject({ status: 'suspended', waiting: ['q1', 'q2'] })
    expect(call).not.toHaveProperty('owner')
  })
  test.each([{ status: 'answered' as const }, { status: 'timing_out' as const }])(
    'runs it again if one question was settled meanwhile: %j',
    async (changes) => {
      const { kernel, running: execution } = await running({ id: 'q1' }, { id: 'q2', ...changes })
      expect(await suspendCall(kernel, execution, ['q1', 'q2'])).toEqual({ type: 'again' })
      expect(await suspendCall(kernel, execution, ['q1', 'gone'])).toEqual({ type: 'again' })
    },
  )
})
