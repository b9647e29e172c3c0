import { expect, test } from 'vitest'
import { inTemplate } from './user-actions.ts'

const payload = { name: 'a "b"', at: { line: 3 }, none: null, list: ['x'] }

test.each([
  ['Uploaded {name}.', payload, 'Uploaded "a \\"b\\"".'],
  ['At {at.line}, twice: {at.line}', payload, 'At 3, twice: 3'],
  ['All of {at}', payload, 'All of {"line":3}'],
  ['Nothing: {none}', payload, 'Nothing: null'],
  ['First of {list.0}', payload, 'First of "x"'],
  ['Who is {missing} and {at.column.end}?', payload, 'Who is {missing} and {at.column.end}?'],
  ['Within a word: {name.length}', payload, 'Within a word: {name.length}'],
  ['Within nothing: {none.x}', payload, 'Within nothing: {none.x}'],
  ['Of its kind: {constructor} {__proto__} {list.length}', payload, 'Of its kind: {constructor} {__proto__} 1'],
  ['Without a payload: {name}', undefined, 'Without a payload: {name}'],
  ['Not a field: {a b} {}', payload, 'Not a field: {a b} {}'],
])('%s', (template, given, expected) => {
  expect(inTemplate(template, given)).toBe(expected)
})

test('a function in the registry can produce the text of a user action', () => {
  expect(inTemplate((given: typeof payload) => `At ${given.at.line}`, payload)).toBe('At 3')
})
