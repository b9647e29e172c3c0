import { describe, expect, test } from 'vitest'
import { bareKernel } from '../../../test/engine/support/bare-kernel.ts'
import { ASKED_AT, questionRow } from '../../../test/engine/support/question-row.ts'
import { questionFacts, reportClosed, traceContext } from './report.ts'

const facts = {
  ...{ tenant: '', sessionId: 's', runId: 'r', toolCallId: 'c', toolName: 't' },
  ...{ interactionId: 'q1', kind: 'approval', attempt: 1 },
}

test('the facts of a question are its ids, and its traces if there are any', () => {
  expect(questionFacts(questionRow(), 5)).toStrictEqual({ at: 5, ...facts })
  expect(questionFacts(questionRow({ traceparent: 'asked', answeredIn: 'answered' }), 5)).toStrictEqual({
    ...{ at: 5, ...facts },
    ...{ traceparent: 'asked', answeredIn: 'answered' },
  })
})

describe('the report of an ended question', () => {
  test.each([
    [
      'contains the outcome of its tool',
      { status: 'answered', outcome: { type: 'complete' } },
      { outcome: 'complete' },
    ],
    [
      'contains its refusal',
      { status: 'expired', outcome: { type: 'refused', outcome: 'expired' } },
      { outcome: 'expired', refusal: 'expired' },
    ],
    ['contains its status if its tool has no outcome', { status: 'cancelled' }, { outcome: 'cancelled' }],
  ] as const)('%s', (_what, changes, said) => {
    const { kernel, reported } = bareKernel()
    reportClosed(kernel, questionRow(changes), ASKED_AT + 7)
    expect(reported).toStrictEqual([{ type: 'closed', at: ASKED_AT + 7, ...facts, ...said, waitedMs: 7 }])
  })
})

describe('the trace context', () => {
  test('is the return value of the host’s hook', () => {
    expect(traceContext(bareKernel({ hooks: { traceparent: () => '00-1' } }).kernel)).toBe('00-1')
    expect(traceContext(bareKernel().kernel)).toBeUndefined()
  })
  test('is absent if the host’s hook throws, and the error is logged', () => {
    const { kernel, logged } = bareKernel({
      hooks: {
        traceparent: () => {
          throw new Error('no tracer')
        },
      },
    })
    expect(traceContext(kernel)).toBeUndefined()
    expect(logged).toEqual([['warn', 'traceparent threw', expect.objectContaining({ error: 'Error' })]])
  })
})
