import { expect, test } from 'vitest'
import { questionRow } from '../../../test/engine/support/question-row.ts'
import type { Answered } from '../state/rows.ts'
import { responseOf } from './response-of.ts'

const by = { clientId: 'tab', userId: 'ada' }
const said = (changes: Partial<Answered>): Answered => ({
  answerId: 'a',
  digest: 'd',
  at: 1,
  by,
  action: 'approve',
  ...changes,
})
const asked = (args?: unknown) => {
  const row = questionRow()
  return args === undefined ? row : { ...row, request: { ...row.request, args } as typeof row.request }
}
const files = ['a.txt']
const connect = questionRow({ kind: 'connect', request: { type: 'auth_needed', args: files } as never })

test.each([
  ['the scope is once by default', { action: 'approve' }, { approvalScope: 'once', edited: false }],
  ['a chosen scope is kept', { approvalScope: 'session' }, { approvalScope: 'session' }],
  ['a denial has no scope', { action: 'deny', approvalScope: 'session' }, { action: 'deny', approvalScope: undefined }],
  ['edited arguments replace the asked ones', { args: ['b'] }, { args: ['b'], edited: true }],
  ['decisions are included', { diffDecisions: { h1: 'accept' } }, { diffDecisions: { h1: 'accept' } }],
  ['a reason is included', { reason: 'why not' }, { reason: 'why not' }],
] satisfies [string, Partial<Answered>, object][])('the response of an approval: %s', (_what, answer, expected) => {
  const plain = { action: 'approve', approvalScope: 'once', edited: false, args: files, respondedBy: by }
  expect(responseOf('approval', said(answer), asked(files))).toEqual({ ...plain, ...expected })
})

test('the response omits values that were not given', () => {
  expect(Object.keys(responseOf('approval', said({ action: 'deny' }), asked())).sort()).toEqual([
    'action',
    'edited',
    'respondedBy',
  ])
  expect(Object.keys(responseOf('input', said({ action: 'decline' }), asked())).sort()).toEqual([
    'action',
    'respondedBy',
  ])
})

test('the response to a question that is no approval has no arguments', () => {
  expect(responseOf('approval', said({}), connect)).not.toHaveProperty('args')
})

test('the response of a form contains the input only if it was submitted', () => {
  const input = { name: 'Ada' }
  expect(responseOf('input', said({ action: 'submit', input }), asked())).toEqual({
    action: 'submit',
    input,
    respondedBy: by,
  })
  for (const action of ['decline', 'cancel'] as const) {
    expect(responseOf('input', said({ action, input, reason: 'no' }), asked())).toEqual({
      action,
      reason: 'no',
      respondedBy: by,
    })
  }
})
