import { english } from '@holdpoint/core/messages'
import { describe, expect, test } from 'vitest'
import { approval } from '../../testing/interactions.ts'
import { questionOf } from '../../wording/question-text.ts'
import { scopeToSend } from '../choices.tsx'
import type { ApprovalDraft } from './approval-context.ts'
import { editedArgs, sameJson, valuesOfArgs } from './edited-args.ts'

const draft: ApprovalDraft = {
  scope: 'once',
  reason: '',
  instead: '',
  editing: true,
  json: false,
  argsText: null,
  argsForm: null,
  argsProblems: null,
  argsValues: null,
  decisions: {},
}
const request = questionOf(approval({ request: { args: { b: 1, a: [1, 2] }, editable: true } }))!
const withFields = questionOf(
  approval({
    request: {
      args: { channel: 'general', copies: 2, hidden: { kept: true } },
      argsSchema: {
        type: 'form',
        fields: [
          { id: 'channel', type: 'text', label: 'Channel', required: true },
          { id: 'copies', type: 'integer', label: 'Copies' },
        ],
      },
    },
  }),
)!

describe('edited arguments', () => {
  test('are unchanged if only the order of keys or the whitespace differs', () => {
    expect(editedArgs(request, draft, english)).toEqual({ state: 'untouched' })
    expect(editedArgs(request, { ...draft, argsText: '{"a":[1,2],"b":1}' }, english)).toEqual({ state: 'untouched' })
  })

  test('that are no valid JSON cannot be approved', () => {
    expect(editedArgs(request, { ...draft, argsText: '{"a": ' }, english).state).toBe('invalid')
  })

  test('in JSON are sent as parsed', () => {
    expect(editedArgs(request, { ...draft, argsText: '{"a":[],"b":2}' }, english)).toEqual({
      state: 'edited',
      args: { a: [], b: 2 },
    })
  })

  test('in fields are converted to numbers, and arguments without a field are kept', () => {
    const argsValues = { ...valuesOfArgs(withFields), copies: '3' }
    expect(editedArgs(withFields, { ...draft, argsValues }, english)).toEqual({
      state: 'edited',
      args: { channel: 'general', copies: 3, hidden: { kept: true } },
    })
    expect(editedArgs(withFields, { ...draft, argsValues: valuesOfArgs(withFields) }, english)).toEqual({
      state: 'untouched',
    })
  })

  test('in fields show each error at its field', () => {
    const found = editedArgs(withFields, { ...draft, argsValues: { channel: '', copies: 'x' } }, english)
    expect(found.state === 'invalid' && Object.keys(found.problems)).toEqual(['channel', 'copies'])
  })
})

test('edited arguments are compared so that an array differs from an object, and its order matters', () => {
  expect(sameJson([1, 2], [2, 1])).toBe(false)
  expect(sameJson({ 0: 1 }, [1])).toBe(false)
  expect(sameJson({ a: { c: 1, b: 2 } }, { a: { b: 2, c: 1 } })).toBe(true)
})

describe('the scope of an approval', () => {
  test('is once unless the user chose an offered scope', () => {
    expect(scopeToSend(['once', 'session'], 'session', false)).toBe('session')
    expect(scopeToSend(['once', 'session'], 'always', false)).toBe('once')
    expect(scopeToSend(['session'], 'once', false)).toBe('session')
  })
  test('is once for edited arguments, whatever was chosen', () => {
    expect(scopeToSend(['once', 'always'], 'always', true)).toBe('once')
  })
  test('can be a scope that the component does not know', () => {
    expect(scopeToSend(['once', 'week'], 'week', false)).toBe('week')
  })
})
