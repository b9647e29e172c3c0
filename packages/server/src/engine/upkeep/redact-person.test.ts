import { expect, test } from 'vitest'
import { redactPerson } from './redact-person.ts'

const bob = { userId: 'bob', name: 'Bob', clientId: 'tab-7' }
const nobody = { clientId: 'erased' }
const gone = (value: unknown) => redactPerson(value, 'bob')

test.each([
  ['who answered, in an event', { respondedBy: bob }, { respondedBy: nobody }],
  ['who answered, in a row', { answer: { by: bob } }, { answer: { by: nobody } }],
  ['within a list', { items: [1, { by: bob }] }, { items: [1, { by: nobody }] }],
  ['who may answer', { audience: ['ada', 'bob', 'eve'] }, { audience: ['ada', 'eve'] }],
  ['who may answer, deep inside', { request: { audience: ['bob'] } }, { request: { audience: [] } }],
  ['a tool’s own result, made of an answer', { result: { respondedBy: bob } }, { result: { respondedBy: nobody } }],
])('%s: they are gone', (_where, value, expected) => {
  expect(gone(value)).toEqual(expected)
  expect(JSON.stringify(gone(value))).not.toMatch(/bob|tab-7/i)
})

test.each([
  ['arguments', { args: { by: bob, audience: ['bob'] } }],
  ['what was typed', { input: { respondedBy: bob } }],
  ['the data of an action', { payload: { by: bob } }],
  ['what a form begins with', { initialValues: { by: bob } }],
  ['another user who answered', { respondedBy: { ...bob, userId: 'ada' } }],
  ['a user under another name', { author: bob }],
  ['a word of that name', { by: 'bob', respondedBy: null }],
  ['what has the id and is not a person', { by: { userId: 'bob' } }],
  ['a client without a user', { by: { clientId: 'tab-7' } }],
  ['an audience of others', { audience: ['ada'] }],
  ['an audience that is no list', { audience: { all: 'bob' } }],
  ['a list', [1, 'bob', null, { note: 'bob' }]],
  ['a word', 'bob'],
  ['nothing', null],
  ['nothing at all', undefined],
])('%s: left as it is, the very same', (_what, value) => {
  expect(gone(value)).toBe(value)
})

test('what is beside them stays, in its order', () => {
  const kept = { deep: { list: [1, 2] } }
  const found = gone({ a: 1, respondedBy: bob, z: kept })
  expect(JSON.stringify(found)).toBe('{"a":1,"respondedBy":{"clientId":"erased"},"z":{"deep":{"list":[1,2]}}}')
  expect((found as { z: unknown }).z).toBe(kept)
})

test('what does not name a person stays the very same, so that nothing is written again', () => {
  const event = { audience: ['bob'], respondedBy: { userId: 'bob', clientId: 'tab' }, note: 'ada' }
  expect(redactPerson(event, 'ada')).toBe(event)
  expect(redactPerson(event, 'bob')).toEqual({ ...event, audience: [], respondedBy: expect.anything() })
  const row = { answer: { by: { userId: 'bob', name: 'Bob', clientId: 'tab' } } }
  expect(redactPerson(row, 'ada')).toBe(row)
  expect(JSON.stringify(redactPerson(row, 'bob'))).not.toMatch(/bob/i)
})
