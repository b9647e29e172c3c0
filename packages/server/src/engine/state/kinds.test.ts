import { expect, test } from 'vitest'
import { questionRow } from '../../../test/engine/support/question-row.ts'
import { kinds } from './kinds.ts'
import { endUnanswered } from './question-steps.ts'
import type { Answered, QuestionRow } from './rows.ts'

const request = { type: 'auth_needed', integrations: ['slack', 'gmail'] } as unknown as QuestionRow['request']
const connect = questionRow({ kind: 'connect', request })
const ids = { sessionId: 's', runId: 'r', interactionId: 'q1', integrations: ['slack', 'gmail'] }
const result = { type: 'auth_result', timestamp: '1970-01-01T00:00:00.005Z', ...ids }
const answered = (action: Answered['action']) => ({ action, at: 5 }) as Answered

test('the result of connecting names its accounts, and the reason if it failed', () => {
  expect(kinds.connect.answered(connect, answered('submit'))).toStrictEqual({ ...result, success: true })
  expect(kinds.connect.answered(connect, answered('decline'))).toStrictEqual({
    ...result,
    success: false,
    reason: 'decline',
  })
})

test('a request for accounts that ends without them emits its status or the reason of the caller', () => {
  const end = (...[status, reason]: [Parameters<typeof endUnanswered>[1], string?]) =>
    endUnanswered(connect, status, 5, reason).event
  expect(end('expired')).toMatchObject({ success: false, reason: 'expired' })
  expect(end('cancelled', 'auth_expired')).toMatchObject({ success: false, reason: 'auth_expired' })
  expect(end('superseded', 'declined')).toMatchObject({ success: false, reason: 'superseded' })
})

test('only a request for accounts belongs to the owner alone and ends its run when it expires', () => {
  expect(Object.entries(kinds).filter(([, { ownerOnly }]) => ownerOnly)).toEqual([['connect', kinds.connect]])
  expect(Object.values(kinds).map(({ expiryCancelsRun }) => expiryCancelsRun)).toEqual([
    undefined,
    undefined,
    'auth_expired',
  ])
  expect(kinds.connect.accounts(connect)).toEqual(['slack', 'gmail'])
  expect(kinds.input.accounts(questionRow({ kind: 'input' }))).toEqual([])
})
