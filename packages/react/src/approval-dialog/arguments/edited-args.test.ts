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
  test('looking is not editing, and neither is another order of keys or other spaces', () => {
    expect(editedArgs(request, draft, english)).toEqual({ state: 'untouched' })
    expect(editedArgs(request, { ...draft, argsText: '{"a":[1,2],"b":1}' }, english)).toEqual({ state: 'untouched' })
  })

  test('what is not JSON cannot be approved', () => {
    expect(editedArgs(request, { ...draft, argsText: '{"a": ' }, english).state).toBe('invalid')
  })

  test('changed JSON is sent as what it says', () => {
    expect(editedArgs(request, { ...draft, argsText: '{"a":[],"b":2}' }, english)).toEqual({
      state: 'edited',
      args: { a: [], b: 2 },
    })
  })

  test('by fields: numbers become numbers, what has no field is kept', () => {
    const argsValues = { ...valuesOfArgs(withFields), copies: '3' }
    expect(editedArgs(withFields, { ...draft, argsValues }, english)).toEqual({
      state: 'edited',
      args: { channel: 'general', copies: 3, hidden: { kept: true } },
    })
    expect(editedArgs(withFields, { ...draft, argsValues: valuesOfArgs(withFields) }, english)).toEqual({
      state: 'untouched',
    })
  })

  test('the editor by fields shows each problem at its field', () => {
    const found = editedArgs(withFields, { ...draft, argsValues: { channel: '', copies: 'x' } }, english)
    expect(found.state === 'invalid' && Object.keys(found.problems)).toEqual(['channel', 'copies'])
  })
})

test('an array is no object, and order matters in it', () => {
  expect(sameJson([1, 2], [2, 1])).toBe(false)
  expect(sameJson({ 0: 1 }, [1])).toBe(false)
  expect(sameJson({ a: { c: 1, b: 2 } }, { a: { b: 2, c: 1 } })).toBe(true)
})

describe('scope', () => {
  test('is once unless the person chose what is offered', () => {
    expect(scopeToSend(['once', 'session'], 'session', false)).toBe('session')
    expect(scopeToSend(['once', 'session'], 'always', false)).toBe('once')
    expect(scopeToSend(['session'], 'once', false)).toBe('session')
  })
  test('an edited approval counts once, whatever was chosen', () => {
    expect(scopeToSend(['once', 'always'], 'always', true)).toBe('once')
  })
  test('a scope that we do not know is kept when it is chosen', () => {
    expect(scopeToSend(['once', 'week'], 'week', false)).toBe('week')
  })
})
