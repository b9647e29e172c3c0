import { expect, test } from 'vitest'
import type { Answered, QuestionRow } from '../state/rows.ts'
import { answerAsText } from './answer-as-text.ts'

const fields = [
  { id: 'user', type: 'text', label: 'User' },
  { id: 'password', type: 'secret', label: 'Password' },
]
/** A question of which the answer is described. */
const row = (request: object) =>
  ({ toolName: 'deploy', request: { type: 'interaction_request', ...request } }) as unknown as QuestionRow
const said = (answer: Partial<Answered>) => answer as Answered

test('a plain approval is one sentence without absent details', () => {
  expect(answerAsText(row({ prompt: 'Go?' }), said({ action: 'approve' }))).toBe(
    'The user answered the question "Go?" of the tool deploy: approved.',
  )
  expect(answerAsText(row({}), said({ action: 'cancel' }))).toBe(
    'The user answered a question of the tool deploy: cancelled.',
  )
})

test('a reason, changed arguments and an input are quoted as JSON, so that they read as data', () => {
  expect(answerAsText(row({ prompt: 'Go?' }), said({ action: 'deny', reason: 'Not "now".' }))).toBe(
    'The user answered the question "Go?" of the tool deploy: denied. Reason: "Not \\"now\\".".',
  )
  expect(answerAsText(row({ prompt: 'Go?' }), said({ action: 'approve', args: { to: 'test' } }))).toBe(
    'The user answered the question "Go?" of the tool deploy: approved. Changed arguments: {"to":"test"}.',
  )
  const form = row({ prompt: 'Who?', inputSchema: { type: 'form', fields } })
  const told = answerAsText(form, said({ action: 'submit', input: { user: 'ada', password: 'secret:x' } }))
  expect(told).toContain('submitted. Input: {"user":"ada"')
  expect(told).not.toContain('secret:x')
})

test('a question for an account is described by its reason', () => {
  const request = { type: 'auth_needed', reason: 'To read mail' }
  expect(answerAsText(row(request), said({ action: 'decline' }))).toContain('the question "To read mail" of')
})
