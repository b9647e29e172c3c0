import { describe, expect, test } from 'vitest'
import { ASKED_AT, questionRow } from '../../../test/engine/support/question-row.ts'
import { iso } from './question-events.ts'
import { answer, answerLate, close, conclude, defer, extend, timeOut } from './question-steps.ts'
import type { Answered, QuestionRow } from './rows.ts'

const at = ASKED_AT + 7
const said: Answered = { answerId: 'a', digest: 'x', at, by: { userId: 'ada', clientId: 'tab' }, action: 'approve' }
const envelope = { timestamp: iso(at), sessionId: 's', runId: 'r', interactionId: 'q1' }
const response = { type: 'interaction_response', ...envelope, toolCallId: 'c', action: 'approve', respondedBy: said.by }
const looked = questionRow({ lookAgainAt: 5 })
const { lookAgainAt: _seen, ...unlooked } = looked

describe('recording an answer', () => {
  test('writes its exact values to the row and to the log', () => {
    const { row, event } = answer(looked, said)
    expect(event).toStrictEqual(response)
    expect(row).toStrictEqual({ ...unlooked, status: 'answered', answer: said, response: event })
  })
  test('schedules a check if no tool waits', () => {
    expect(answer(looked, said, 9).row).toMatchObject({ status: 'answered', lookAgainAt: 9 })
  })
  test('writes the whole answer, and of a form only its fields without secrets', () => {
    const fields = [{ id: 'name', type: 'text', label: 'Name' }]
    const request = { ...questionRow().request, inputSchema: { type: 'form', fields } } as QuestionRow['request']
    const more = { approvalScope: 'session', args: null, diffDecisions: { h1: 'accept' }, reason: '' } as const
    const full = { ...said, ...more, input: { name: 'Ada', other: 1 } }
    expect(answer(questionRow({ request }), full).event).toStrictEqual({
      ...{ ...response, ...more },
      input: { name: 'Ada' },
    })
  })
  test('after the tool continued marks it as late and ends the question', () => {
    const { row, event } = answerLate(looked, said, 'delivery')
    expect(event).toStrictEqual({ ...response, late: true })
    expect(row).toStrictEqual({
      ...{ ...looked, status: 'answered_late', answer: said, response: event },
      ...{ outcome: { type: 'follow_up' }, endedAt: at, delivery: 'delivery' },
    })
  })
})

test('closing a question writes the reason, and a message if there is one', () => {
  const outcome = { type: 'failed' } as const
  const { row, event } = close(looked, 'failed', outcome, at)
  expect(event).toStrictEqual({ type: 'interaction_closed', ...envelope, reason: 'failed' })
  expect(row).toStrictEqual({ ...looked, status: 'failed', closed: event, outcome, endedAt: at })
  expect(close(looked, 'failed', outcome, at, 'Sorry.').event).toStrictEqual({ ...event, message: 'Sorry.' })
})

test('a question that its tool handled or deferred has no deadline', () => {
  const outcome = { type: 'complete', value: 1 } as const
  expect(conclude(looked, outcome, at)).toStrictEqual({ ...unlooked, outcome, endedAt: at })
  const { row, event } = defer(looked, at)
  expect(row).toStrictEqual({ ...unlooked, status: 'deferred', waiter: 'none' })
  expect(event).toStrictEqual({ type: 'interaction_updated', ...envelope, deferred: true })
})

test('a timeout that a tool decides, and an extension, change no other values', () => {
  expect(timeOut(looked, 9)).toStrictEqual({ ...looked, status: 'timing_out', lookAgainAt: 9 })
  const { row, event } = extend(looked, at + 5, at)
  expect(row).toStrictEqual({ ...looked, expiresAt: at + 5 })
  expect(event).toStrictEqual({ type: 'interaction_updated', ...envelope, expiresAt: iso(at + 5) })
})
