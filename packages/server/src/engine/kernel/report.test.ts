import { describe, expect, test } from 'vitest'
import { bareKernel } from '../../../test/engine/support/bare-kernel.ts'
import { ASKED_AT, questionRow } from '../../../test/engine/support/question-row.ts'
import { questionFacts, reportClosed, traceContext } from './report.ts'

const facts = {
  ...{ tenant: '', sessionId: 's', runId: 'r', toolCallId: 'c', toolName: 't' },
  ...{ interactionId: 'q1', kind: 'approval', attempt: 1 },
}

test('the facts of a question are ids, and its traces where there were any', () => {
  expect(questionFacts(questionRow(), 5)).toStrictEqual({ at: 5, ...facts })
  expect(questionFacts(questionRow({ traceparent: 'asked', answeredIn: 'answered' }), 5)).toStrictEqual({
    ...{ at: 5, ...facts },
    ...{ traceparent: 'asked', answeredIn: 'answered' },
  })
})

describe('an ended question is reported', () => {
  test.each([
    ['with what its tool made of it', { status: 'answered', outcome: { type: 'complete' } }, { outcome: 'complete' }],
    [
      'with how it was refused',
      { status: 'expired', outcome: { type: 'refused', outcome: 'expired' } },
      { outcome: 'expired', refusal: 'expired' },
    ],
    ['with its status where nothing was made of it', { status: 'cancelled' }, { outcome: 'cancelled' }],
  ] as const)('%s', (_what, changes, said) => {
    const { kernel, reported } = bareKernel()
    reportClosed(kernel, questionRow(changes), ASKED_AT + 7)
    expect(reported).toStrictEqual([{ type: 'closed', at: ASKED_AT + 7, ...facts, ...said, waitedMs: 7 }])
  })
})

describe('the trace', () => {
  test('is what the host says', () => {
    expect(traceContext(bareKernel({ hooks: { traceparent: () => '00-1' } }).kernel)).toBe('00-1')
    expect(traceContext(bareKernel().kernel)).toBeUndefined()
  })
  test('of a host that throws is none, and a line in the log', () => {
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
