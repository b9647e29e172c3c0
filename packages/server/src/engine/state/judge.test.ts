import { describe, expect, test } from 'vitest'
import { ASKED_AT as NOW, questionRow as row } from '../../../test/engine/support/question-row.ts'
import { judgeAction, judgeState } from './judge-answer.ts'
import { judgeAsk } from './judge-ask.ts'
import { judgeDeadline } from './judge-deadline.ts'
import { shownInput } from './question-events.ts'
import { answer, close, conclude, defer, extend, timeOut } from './question-steps.ts'
import type { QuestionRow } from './rows.ts'
import { isCancelled, isShown, newRun, setStatus, stopWaitingFor, waitFor } from './run-steps.ts'

const answered = {
  answerId: 'a1',
  digest: 'x',
  at: NOW,
  by: { userId: 'ada', clientId: 'tab' },
  action: 'approve' as const,
}

describe('judging an answer', () => {
  const judge = (changes: Partial<QuestionRow>, answerId = 'a2', digest = 'y', now = NOW, userId = 'ada') =>
    judgeState(row(changes), { answerId, userId, digest }, now)

  test('settles an open question until it expires', () => {
    expect(judge({}, 'a', 'd', NOW + 59_999)).toEqual({ type: 'settle' })
    expect(judge({}, 'a', 'd', NOW + 60_000)).toEqual({ type: 'expire_first' })
  })
  test('accepts it as late for a deferred question, and asks to retry while a timeout is being decided', () => {
    expect(judge({ status: 'deferred' })).toEqual({ type: 'late' })
    expect(judge({ status: 'timing_out' })).toMatchObject({ code: 'settling', retryAfterMs: expect.any(Number) })
  })
  test.each(['expired', 'cancelled', 'superseded'] as const)('rejects it if the question is %s', (status) => {
    expect(judge({ status })).toEqual({ type: 'refuse', code: status })
  })
  test.each(['answered', 'answered_late', 'failed'] as const)('rejects it with the winner: %s', (status) => {
    const verdict = judge({ status, answer: answered })
    expect(verdict).toEqual({
      type: 'refuse',
      code: 'already_answered',
      respondedBy: { userId: 'ada', clientId: 'tab' },
      respondedAt: NOW,
    })
  })
  test.each(['answered', 'answered_late', 'failed', 'cancelled'] as const)(
    'recognizes the repeated winner: %s',
    (status) => {
      expect(judge({ status, answer: answered }, 'a1', 'x')).toEqual({ type: 'replay' })
      expect(judge({ status, answer: answered }, 'a1', 'z')).toEqual({ type: 'refuse', code: 'answer_id_reused' })
      // Another user who repeats it did not answer, whatever the ids say.
      expect(judge({ status, answer: answered }, 'a1', 'x', NOW, 'bob')).not.toEqual({ type: 'replay' })
    },
  )
  test.each([
    ['approval', 'approve', 'session', null],
    ['approval', 'approve', undefined, null],
    ['approval', 'approve', 'always', 'scope_not_offered'],
    ['approval', 'deny', 'once', 'scope_not_offered'],
    ['approval', 'cancel', undefined, null],
    ['approval', 'submit', undefined, 'action_not_allowed'],
    ['approval', 'decline', undefined, 'action_not_allowed'],
    ['input', 'submit', undefined, null],
    ['input', 'approve', undefined, 'action_not_allowed'],
    ['connect', 'decline', undefined, null],
    ['connect', 'submit', undefined, 'action_not_allowed'],
  ] as const)('%s: %s with scope %s → %s', (kind, action, scope, code) => {
    expect(judgeAction(row({ kind }), action, scope)).toBe(code)
  })
})

describe('judging a request to ask', () => {
  const known = { interactionId: 'q1', attempt: 3, digest: 'd' }
  test('opens a question under a new key, or if retention removed the old one', () => {
    expect(judgeAsk(undefined, null, 'd')).toEqual({ type: 'open', attempt: 1 })
    expect(judgeAsk(known, null, 'd')).toEqual({ type: 'open', attempt: 4 })
  })
  test('attaches the same question in any status', () => {
    for (const status of ['open', 'answered', 'timing_out', 'expired', 'cancelled'] as const) {
      expect(judgeAsk(known, row({ status }), 'd')).toMatchObject({ type: 'attach' })
    }
  })
  test('supersedes another open question, and opens a new one after an ended one', () => {
    expect(judgeAsk(known, row(), 'other')).toMatchObject({ type: 'supersede', attempt: 4 })
    expect(judgeAsk(known, row({ outcome: { type: 'complete' } }), 'other')).toEqual({ type: 'open', attempt: 4 })
  })
  test('opens a new question if the answer to the old one became a follow-up', () => {
    expect(judgeAsk(known, row({ outcome: { type: 'follow_up' } }), 'd')).toEqual({ type: 'open', attempt: 4 })
  })
  test('keeps the outcome of a tool that continued without the answer', () => {
    const pending = { message: 'later', queued: true }
    expect(judgeAsk(known, row({ outcome: { type: 'follow_up' }, pending }), 'd')).toMatchObject({ type: 'attach' })
    expect(judgeAsk(known, row({ status: 'deferred', pending }), 'other')).toMatchObject({ type: 'supersede' })
  })
})

describe('judging a deadline', () => {
  const judge = (changes: Partial<QuestionRow>, now: number) => judgeDeadline(row(changes), now)
  test('expires a question without a handler, and lets a handler decide', () => {
    expect(judge({}, NOW + 59_999)).toBe('nothing')
    expect(judge({}, NOW + 60_000)).toBe('expire')
    expect(judge({ onTimeout: true }, NOW + 60_000)).toBe('time_out')
    expect(judge({ onTimeout: true, waiter: 'none' }, NOW + 60_000)).toBe('expire')
  })
  test('postpones the decision while the handler may still run', () => {
    const timing = { status: 'timing_out', lookAgainAt: NOW + 5 } as const
    expect(judge(timing, NOW + 4)).toBe('nothing')
    expect(judge(timing, NOW + 5)).toBe('postpone')
    expect(judge({ ...timing, waiter: 'none' }, NOW + 5)).toBe('expire')
  })
  test('makes an unclaimed answer a follow-up', () => {
    const left = { status: 'answered', waiter: 'none', lookAgainAt: NOW + 5 } as const
    expect(judge(left, NOW + 5)).toBe('orphan')
    expect(judge({ ...left, waiter: 'suspended' }, NOW + 5)).toBe('postpone')
    expect(judge({ status: 'answered' }, NOW + 10 ** 9)).toBe('nothing')
  })
  test('never ends a deferred or ended question', () => {
    expect(judge({ status: 'deferred' }, NOW + 10 ** 12)).toBe('nothing')
    expect(judge({ status: 'expired', outcome: { type: 'failed' } }, NOW + 10 ** 12)).toBe('nothing')
  })
})

describe('the status of a run', () => {
  test('names what it waits for, approvals first, and is `running` if it waits for nothing', () => {
    let run = newRun('r')
    const statuses = [run.status]
    for (const step of [
      () => waitFor(run, 'q1', 'connect'),
      () => waitFor(run, 'q2', 'input'),
      () => waitFor(run, 'q3', 'approval'),
      () => stopWaitingFor(run, 'q3'),
      () => stopWaitingFor(run, 'q2'),
      () => stopWaitingFor(run, 'q1'),
    ]) {
      run = step()
      statuses.push(run.status)
    }
    expect(statuses).toEqual([
      'running',
      'awaiting_auth',
      'awaiting_input',
      'awaiting_approval',
      'awaiting_input',
      'awaiting_auth',
      'running',
    ])
  })
  test('stays `cancelled`', () => {
    const run = setStatus(waitFor(newRun('r'), 'q', 'input'), 'cancelled', 'enough')
    expect(run).toEqual({ runId: 'r', status: 'cancelled', reason: 'enough', waiting: {} })
    expect(isCancelled(setStatus(run, 'running'))).toBe(true)
    expect(stopWaitingFor(run, 'q').status).toBe('cancelled')
    expect([
      isShown(run),
      isShown(waitFor(newRun('r'), 'q', 'input')),
      isShown(setStatus(newRun('r'), 'paused')),
    ]).toEqual([false, true, true])
  })
})

describe('a state transition', () => {
  test('changes only its own fields, and describes them in one event', () => {
    const before = row({ lookAgainAt: 5 })
    const { row: settled, event } = answer(before, answered)
    expect(settled).toMatchObject({ status: 'answered', answer: answered, response: event })
    expect(settled).not.toHaveProperty('lookAgainAt')
    expect(event).toMatchObject({ type: 'interaction_response', interactionId: 'q1', action: 'approve' })
    expect(conclude(settled, { type: 'complete', value: 1 }, NOW)).toMatchObject({
      status: 'answered',
      outcome: { value: 1 },
      endedAt: NOW,
    })
    expect(close(before, 'expired', { type: 'failed' }, NOW).event).toMatchObject({
      type: 'interaction_closed',
      reason: 'expired',
    })
    expect(timeOut(before, 9)).toMatchObject({ status: 'timing_out', lookAgainAt: 9 })
    expect(defer(before, NOW).row).toMatchObject({ status: 'deferred', waiter: 'none' })
    expect(extend(before, NOW + 5, NOW).event).toMatchObject({ expiresAt: new Date(NOW + 5).toISOString() })
    expect(before).toEqual(row({ lookAgainAt: 5 }))
  })
  test('shows only the existence of a secret, and no value without a field', () => {
    const fields = [{ id: 'p', type: 'secret' as const, label: 'P' }]
    const asked = row()
    const form = row({ request: { ...asked.request, inputSchema: { type: 'form', fields } } as QuestionRow['request'] })
    expect(shownInput(form, { p: 'secret:1', other: 'x' })).toEqual({ p: { secret: true } })
    expect(shownInput(asked, { p: 'x' })).toEqual({})
  })
})
