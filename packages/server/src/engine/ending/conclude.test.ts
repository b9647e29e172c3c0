import { describe, expect, test } from 'vitest'
import { bareKernel } from '../../../test/engine/support/bare-kernel.ts'
import { questionRow } from '../../../test/engine/support/question-row.ts'
import { callRefs, claimCall } from '../calls/claim-call.ts'
import type { Answered, QuestionRow } from '../state/rows.ts'
import { completeIn, concludeQuestion, type Handled } from './conclude.ts'

const answer: Answered = { answerId: 'a', digest: '', at: 1, by: { clientId: 'tab' }, action: 'approve' }
const answered = { status: 'answered', answer } as const
const timingOut = { status: 'timing_out', lookAgainAt: 1 } as const
const MINUTE = 60_000

/** A question of a call that is at work here, whose run waits for it. */
async function asked(changes: Partial<QuestionRow> = answered) {
  const room = bareKernel()
  const { kernel, partition } = room
  const execution = room.execution()
  await kernel.transact(partition, async (tx) =>
    claimCall(kernel, tx, execution, await tx.read(...callRefs(execution))),
  )
  await room.put('run', 'run-1', { runId: 'run-1', status: 'awaiting_approval', waiting: { q1: 'approval' } })
  const question = await room.ask(changes)
  return {
    ...room,
    question,
    at: execution,
    conclude: (handled: Handled, detached = false) =>
      concludeQuestion(kernel, execution, 'q1', handled, detached).then(({ type, row }) => ({ type, row })),
    said: async () => (await room.log()).map((event) => `${event.type} ${event.reason ?? event.status ?? ''}`.trim()),
    deliveries: async () => (await room.store.list(partition, 'delivery')).map(({ data }) => JSON.parse(data).d),
    reports: () => room.reported.map((event) => `${event.type} ${'outcome' in event ? event.outcome : ''}`.trim()),
  }
}

describe('the outcome of a handler', () => {
  test('is recorded with the end of its question, its delivery and its run, which continues', async () => {
    const { conclude, row, clock, said, deliveries, reports, question } = await asked({ ...answered, lookAgainAt: 5 })
    expect(await conclude({ complete: { n: 7 } })).toMatchObject({ type: 'recorded', row: { id: 'q1' } })
    const ended = await row('ended', 'q1')
    const { lookAgainAt: _done, ...kept } = question
    const outcome = { type: 'complete', value: { n: 7 } }
    expect(ended).toEqual({ ...kept, outcome, endedAt: clock.now(), delivery: ended?.delivery })
    expect(await row('idle', 'run-1')).toMatchObject({ status: 'running', waiting: {} })
    expect(await said()).toEqual(['run_status running'])
    expect(await deliveries()).toMatchObject([{ result: { status: 'completed', result: { n: 7 } } }])
    expect(reports()).toEqual(['closed complete'])
    // A later caller receives the record.
    expect((await conclude({ complete: 8 })).row).toEqual(ended)
    expect(reports()).toHaveLength(1)
  })
  test('of a timeout closes the question as expired', async () => {
    const { conclude, said, row } = await asked(timingOut)
    await conclude({ complete: 7 })
    expect(await row('ended', 'q1')).toMatchObject({ status: 'expired', outcome: { type: 'complete', value: 7 } })
    expect(await said()).toEqual(['run_status running', 'interaction_closed expired'])
  })
  test.each([answered, timingOut])(
    'closes the question as failed if the handler threw, without the error: %j',
    async (changes) => {
      const { conclude, log, row, reports, deliveries } = await asked(changes)
      await conclude({ failed: true })
      expect(await row('ended', 'q1')).toMatchObject({ status: 'failed', outcome: { type: 'failed' } })
      const closed = { type: 'interaction_closed', reason: 'failed', message: 'The tool could not continue with this.' }
      expect((await log()).at(-1)).toMatchObject(closed)
      expect(reports()).toEqual(['closed failed'])
      expect(await deliveries()).toMatchObject([{ result: { status: 'error' } }])
    },
  )
  test('is not recorded if JSON cannot represent it', async () => {
    const { conclude, row } = await asked()
    await expect(conclude({ complete: 1n })).rejects.toMatchObject({ code: 'not_recordable' })
    expect(await row('question', 'q1')).toMatchObject({ status: 'answered' })
  })
})

describe('concluding a question without an open outcome', () => {
  test.each([
    ['open', 'nothing'],
    ['deferred', 'nothing'],
    ['cancelled', 'recorded'],
  ] as const)('that is %s: %s', async (status, type) => {
    const { conclude, said, question } = await asked({ status })
    expect(await conclude({ complete: 7 })).toEqual({ type, row: question })
    expect(await said()).toEqual([])
  })
  test('that was erased rejects with question_gone', async () => {
    const { conclude, store, partition } = await asked()
    await store.erase(partition)
    await expect(conclude({ complete: 7 })).rejects.toMatchObject({ code: 'question_gone' })
  })
  test('whose call another process took over leaves it to that process', async () => {
    const { conclude, put, row, at } = await asked()
    await put('call', at.id, { ...(await row('call', at.id))!, fence: 9 })
    await expect(conclude({ complete: 7 })).rejects.toMatchObject({ code: 'ownership_lost' })
    expect(await row('question', 'q1')).toMatchObject({ status: 'answered' })
  })
})

describe('a reprompt', () => {
  const fields = [
    { id: 'user', type: 'text', label: 'User' },
    { id: 'pin', type: 'secret', label: 'PIN' },
  ] as const
  const form = { ...questionRow().request, interactionType: 'input', inputSchema: { type: 'form', fields } }
  const filled: Partial<QuestionRow> = {
    ...{ kind: 'input', status: 'answered', request: form as QuestionRow['request'] },
    ...{ answer: { ...answer, action: 'submit', input: { user: 'ada', pin: 'secret:1' } } },
  }

  test('has a new id, its full time, and the input except for secrets', async () => {
    const { conclude, row, clock, at, said } = await asked({ ...filled, lookAgainAt: 5, prompts: 2, attempt: 3 })
    await clock.jump(1_000)
    const { type, row: next } = await conclude({ reprompt: { error: 'Wrong PIN.' } })
    expect(type).toBe('reprompted')
    expect(next).toMatchObject({
      ...{ status: 'open', prompts: 3, attempt: 4, key: 'k', digest: 'd', kind: 'input' },
      ...{ askedAt: clock.now(), timeoutMs: MINUTE, expiresAt: clock.now() + MINUTE },
    })
    for (const gone of ['answer', 'response', 'lookAgainAt']) expect(next).not.toHaveProperty(gone)
    expect(next.request).toMatchObject({ interactionId: next.id, replaces: 'q1', error: 'Wrong PIN.', attempt: 4 })
    expect(next.request).toHaveProperty('initialValues', { user: 'ada' })
    expect(await row('question', next.id)).toEqual(next)
    expect(await row('ended', 'q1')).toMatchObject({ outcome: { type: 'reprompt', next: next.id } })
    expect(await row('call', at.id)).toMatchObject({ keys: { k: { interactionId: next.id, attempt: 4, digest: 'd' } } })
    // The run waits for the next one in the place of this one.
    expect((await row('run', 'run-1'))?.waiting).toEqual({ [next.id]: 'input' })
    expect(await said()).toEqual(['interaction_request', 'run_status awaiting_input'])
  })
  test('without an input keeps none, and has the timeout that the tool sets', async () => {
    const { conclude } = await asked()
    const { row } = await conclude({ reprompt: { prompt: 'Really?', timeoutMs: 5_000 } })
    expect(row).toMatchObject({ timeoutMs: 5_000, request: { prompt: 'Really?' } })
    expect(row.expiresAt - row.askedAt).toBe(5_000)
    expect(row.request).not.toHaveProperty('initialValues')
  })
  test('is rejected above the limit', async () => {
    const { conclude, kernel } = await asked({ ...answered, prompts: 10 })
    Object.assign(kernel.limits, { reprompts: 9 })
    await expect(conclude({ reprompt: {} })).rejects.toMatchObject({ code: 'reprompt_limit' })
    Object.assign(kernel.limits, { reprompts: 10 })
    expect(await conclude({ reprompt: {} })).toMatchObject({ type: 'reprompted' })
  })
  test('is rejected if it is too large', async () => {
    const { conclude, row } = await asked()
    await expect(conclude({ reprompt: { prompt: 'x'.repeat(1e6) } })).rejects.toMatchObject({
      code: 'prompt_too_large',
    })
    expect(await row('question', 'q1')).toMatchObject({ status: 'answered' })
  })
})

describe('a tool that continues without an answer', () => {
  test('leaves the question open when it timed out', async () => {
    const { conclude, row, said, reports, deliveries } = await asked(timingOut)
    expect(await conclude({ pending: { message: 'later' } })).toMatchObject({ type: 'recorded', row: { id: 'q1' } })
    const kept = await row('question', 'q1')
    expect(kept).toMatchObject({ status: 'deferred', waiter: 'none', pending: { message: 'later', queued: true } })
    expect(kept).not.toHaveProperty('lookAgainAt')
    expect(await row('idle', 'run-1')).toMatchObject({ status: 'running', waiting: {} })
    expect(await said()).toEqual(['run_status running', 'interaction_updated'])
    expect(await deliveries()).toMatchObject([
      { result: { status: 'completed', result: { pending: true, queued: true, message: 'later' } } },
    ])
    expect(reports()).toEqual([])
  })
  test('leaves a successor when an answer led to it', async () => {
    const { conclude, row, said, reports, deliveries, at } = await asked()
    const { row: ended } = await conclude({ pending: { message: 'later', queued: false } })
    const [delivery] = await deliveries()
    expect(ended).toMatchObject({ id: 'q1', outcome: { type: 'pending', message: 'later', queued: false } })
    expect(ended.delivery).toBe(delivery.deliveryId)
    const next = (await row('call', at.id))!.keys.k!
    const kept = await row('question', next.interactionId)
    expect(kept).toMatchObject({
      ...{ status: 'deferred', waiter: 'none', prompts: 1, attempt: 2, pending: { message: 'later', queued: false } },
      request: { replaces: 'q1' },
    })
    for (const gone of ['answer', 'response', 'delivery', 'outcome']) expect(kept).not.toHaveProperty(gone)
    expect(await row('idle', 'run-1')).toMatchObject({ status: 'running', waiting: {} })
    expect(await said()).toEqual(['run_status running', 'interaction_request', 'interaction_updated'])
    expect(reports()).toEqual(['asked', 'closed pending'])
  })
})

describe('an outcome that is recorded together with its answer', () => {
  const completing = async (room: Awaited<ReturnType<typeof asked>>) =>
    await room.kernel.transact(room.partition, async (tx) => {
      await tx.read(['question', 'q1'], ['ended', 'q1'])
      const rows = await tx.read(...callRefs(room.at))
      return completeIn(room.kernel, tx, room.at, rows, room.question, { complete: 7 })
    })
  test('is recorded by the process that owns the call', async () => {
    const room = await asked()
    expect(await completing(room)).toMatchObject({ outcome: { type: 'complete', value: 7 } })
    expect(await room.row('idle', 'run-1')).toMatchObject({ status: 'running', waiting: {} })
    expect(await room.deliveries()).toHaveLength(1)
    expect(room.reports()).toEqual(['closed complete'])
  })
  const leftToOthers = async (room: Awaited<ReturnType<typeof asked>>) => {
    expect(await completing(room)).toBeNull()
    expect(await room.row('question', 'q1')).toMatchObject({ status: 'answered' })
    expect(await room.deliveries()).toEqual([])
  }
  test('is not recorded by an execution that never claimed the call', async () => {
    const room = await asked()
    room.at.fence = 0
    await leftToOthers(room)
  })
  test('is not recorded by a process that no longer owns the call', async () => {
    const room = await asked()
    await room.put('call', room.at.id, { ...(await room.row('call', room.at.id))!, fence: 9 })
    await leftToOthers(room)
  })
  test('is not recorded if the call was erased', async () => {
    const room = await asked()
    await room.drop('call', room.at.id)
    await leftToOthers(room)
  })
  test('is not recorded if the run was cancelled', async () => {
    const room = await asked()
    await room.drop('run', 'run-1')
    await room.put('idle', 'run-1', { runId: 'run-1', status: 'cancelled', waiting: {} })
    await leftToOthers(room)
  })
})
