import { describe, expect, test } from 'vitest'
import { bareKernel } from '../../../test/engine/support/bare-kernel.ts'
import { questionRow } from '../../../test/engine/support/question-row.ts'
import type { Answered, QuestionOutcome, QuestionRow } from '../state/rows.ts'
import { deliverOutcome, deliveryBase } from './outcome-delivery.ts'

const answer: Answered = { answerId: 'a', digest: '', at: 1, by: { clientId: 'tab' }, action: 'approve' }

async function handing(row: Partial<QuestionRow>, outcome: QuestionOutcome, detached = false) {
  const { kernel, partition, store } = bareKernel()
  const handed = await kernel.transact(partition, async (tx) => {
    await tx.read(['session', 'session'])
    return deliverOutcome(kernel, tx, questionRow(row), outcome, detached)
  })
  const rows = (await store.list(partition, 'delivery')).map(({ data }) => JSON.parse(data).d)
  const { rows: due, nextDue, now } = await store.due('delivery')
  return { handed, rows, dueIn: due.length > 0 ? 0 : nextDue === undefined ? undefined : nextDue - now }
}

describe('the outcome of a question of a bare call', () => {
  test.each([
    [
      { type: 'complete', value: 7 },
      { status: 'completed', result: 7 },
    ],
    [
      { type: 'pending', message: 'later', queued: false },
      { status: 'completed', result: { pending: true, queued: false, message: 'later' } },
    ],
    [
      { type: 'refused', outcome: 'denied' },
      { status: 'refused', outcome: 'denied' },
    ],
    [
      { type: 'refused', outcome: 'denied', reason: 'no' },
      { status: 'refused', outcome: 'denied', reason: 'no' },
    ],
    [{ type: 'failed' }, { status: 'error', code: 'handler_failed', message: 'The handler of the answer failed.' }],
  ] as [QuestionOutcome, object][])('%j is delivered if its process dies', async (outcome, result) => {
    const { handed, rows, dueIn } = await handing({}, outcome)
    expect(rows).toStrictEqual([
      expect.objectContaining({
        type: 'tool_result',
        interactionId: 'q1',
        deliveryId: handed.delivery,
        attempts: 0,
        result,
      }),
    ])
    // As long as the process may live.
    expect(dueIn).toBe(15_000)
  })

  test('is delivered at once if no waiter is left', async () => {
    expect((await handing({}, { type: 'complete' }, true)).dueIn).toBe(0)
  })

  test('of a shortcut is delivered as its answer, and not at all without an answer', async () => {
    const { rows } = await handing({ shortcut: true, answer }, { type: 'complete', value: { outcome: 'approved' } })
    const message = expect.stringContaining('approved')
    expect(rows).toMatchObject([{ type: 'follow_up', reason: 'orphaned', answer, message }])
    expect(await handing({ shortcut: true }, { type: 'complete' })).toMatchObject({
      rows: [],
      handed: questionRow({ shortcut: true }),
    })
  })

  test('of a registered call is not delivered, because the tool runs again', async () => {
    const { rows, handed } = await handing({ registered: true }, { type: 'complete' })
    expect([rows, handed]).toEqual([[], questionRow({ registered: true })])
  })
})

test('a delivery contains its session and call, and the trace of the question if there was one', () => {
  const base = { deliveryId: 'd', at: 5, attempts: 0, tenant: '', sessionId: 's', userId: 'ada' }
  const call = { runId: 'r', toolCallId: 'c', toolName: 't' }
  expect(deliveryBase(questionRow(), 'd', 5)).toStrictEqual({ ...base, ...call })
  expect(deliveryBase(questionRow({ traceparent: '00-1' }), 'd', 5)).toStrictEqual({
    ...base,
    ...call,
    traceparent: '00-1',
  })
})
