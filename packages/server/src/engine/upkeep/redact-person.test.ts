import { expect, test } from 'vitest'
import { redactPerson } from './redact-person.ts'

const bob = { userId: 'bob', name: 'Bob', clientId: 'tab-7' }
const nobody = { clientId: 'erased' }
const gone = (value: unknown) => redactPerson(value, 'bob')

test.each([
  ['the answer in an event', { respondedBy: bob }, { respondedBy: nobody }],
  ['the answer in a row', { answer: { by: bob } }, { answer: { by: nobody } }],
  ['an entry of a list', { items: [1, { by: bob }] }, { items: [1, { by: nobody }] }],
  ['an audience', { audience: ['ada', 'bob', 'eve'] }, { audience: ['ada', 'eve'] }],
  ['a nested audience', { request: { audience: ['bob'] } }, { request: { audience: [] } }],
  ['a result of a tool that contains an answer', { result: { respondedBy: bob } }, { result: { respondedBy: nobody } }],
])('a person is removed from %s', (_where, value, expected) => {
  expect(gone(value)).toEqual(expected)
  expect(JSON.stringify(gone(value))).not.toMatch(/bob|tab-7/i)
})

test.each([
  ['arguments', { args: { by: bob, audience: ['bob'] } }],
  ['an input', { input: { respondedBy: bob } }],
  ['the data of an action', { payload: { by: bob } }],
  ['the initial values of a form', { initialValues: { by: bob } }],
  ['another user who answered', { respondedBy: { ...bob, userId: 'ada' } }],
  ['a user under another name', { author: bob }],
  ['a text with that key', { by: 'bob', respondedBy: null }],
  ['an object with the id and without a client', { by: { userId: 'bob' } }],
  ['a client without a user', { by: { clientId: 'tab-7' } }],
  ['an audience without the user', { audience: ['ada'] }],
  ['an audience that is no list', { audience: { all: 'bob' } }],
  ['a list', [1, 'bob', null, { note: 'bob' }]],
  ['a text', 'bob'],
  ['nothing', null],
  ['nothing at all', undefined],
])('%s: the value is not changed', (_what, value) => {
  expect(gone(value)).toBe(value)
})

test('values next to a removed person keep their order', () => {
  const kept = { deep: { list: [1, 2] } }
  const found = gone({ a: 1, respondedBy: bob, z: kept })
  expect(JSON.stringify(found)).toBe('{"a":1,"respondedBy":{"clientId":"erased"},"z":{"deep":{"list":[1,2]}}}')
  expect((found as { z: unknown }).z).toBe(kept)
})

test('a value that does not name the person is returned as the same object, so that it is not written again', () => {
  const event = { audience: ['bob'], respondedBy: { userId: 'bob', clientId: 'tab' }, note: 'ada' }
  expect(redactPerson(event, 'ada')).toBe(event)
  expect(redactPerson(event, 'bob')).toEqual({ ...event, audience: [], respondedBy: expect.anything() })
  const row = { answer: { by: { userId: 'bob', name: 'Bob', clientId: 'tab' } } }
  expect(redactPerson(row, 'ada')).toBe(row)
  expect(JSON.stringify(redactPerson(row, 'bob'))).not.toMatch(/bob/i)
})
