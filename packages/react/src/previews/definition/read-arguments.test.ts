import { expect, test } from 'vitest'
import { argumentChecks } from './argument-checks.ts'
import { readArguments } from './read-arguments.ts'

const fields = {
  to: { names: ['to', 'recipients'], accepts: argumentChecks.texts, required: true },
  subject: { accepts: argumentChecks.text },
} as const

test('a preview receives the arguments that its fields accept, under any known name, and all others are rows', () =>
  expect(readArguments(fields, { recipients: ['a'], to_all: true, subject: 'Hi' })).toEqual({
    values: { to: ['a'], subject: 'Hi' },
    names: { to: 'recipients', subject: 'subject' },
    rest: { to_all: true },
  }))

test('the second of two arguments for one field is a row', () =>
  expect(readArguments(fields, { to: 'a', recipients: ['b'] })).toMatchObject({
    values: { to: 'a' },
    rest: { recipients: ['b'] },
  }))

test('an argument of another type is a row, and all arguments are rows if a required one is missing', () => {
  expect(readArguments(fields, { to: 'a', subject: 5 })).toMatchObject({ values: { to: 'a' }, rest: { subject: 5 } })
  expect(readArguments(fields, { to: 5, subject: 'Hi' })).toBeUndefined()
  expect(readArguments(fields, { subject: 'Hi' })).toBeUndefined()
  for (const args of [undefined, null, 'to', ['a'], 5]) expect(readArguments(fields, args)).toBeUndefined()
})

test('a name that every object has is not an argument', () =>
  expect(readArguments({ x: { names: ['constructor'], accepts: () => true } }, { a: 1 })).toEqual({
    values: {},
    names: {},
    rest: { a: 1 },
  }))

test.each(['a\u202Eb', 'a\u200Bb', 'a\u0000b'])(
  'an invisible character in a text makes all arguments rows: %j',
  (text) => {
    expect(readArguments(fields, { to: ['x', text] })).toBeUndefined()
    expect(readArguments({ h: { accepts: argumentChecks.pairs } }, { h: { [text]: 'v' } })).toBeUndefined()
  },
)

test('a value that JSON omits is neither in the preview nor in the rows', () =>
  expect(readArguments(fields, { to: 'a', subject: undefined })).toEqual({
    values: { to: 'a' },
    names: { to: 'to' },
    rest: {},
  }))

test('an object of a list is accepted only if the preview shows each of its keys', () => {
  const person = argumentChecks.object({ email: argumentChecks.text, name: argumentChecks.text }, 'email')
  expect(person({ email: 'a' })).toBe(true)
  expect(person({ email: 'a', role: 'admin' })).toBe(false)
  expect(person({ name: 'a' })).toBe(false)
})
