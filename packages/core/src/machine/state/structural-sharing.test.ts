import { expect, test } from 'vitest'
import { keep, same } from './structural-sharing.ts'

test('two values with the same JSON are equal, and a missing key equals an undefined one', () => {
  expect(same({ a: [1, { b: 'x' }] }, { a: [1, { b: 'x' }] })).toBe(true)
  expect(same({ a: 1 }, { a: 1, b: undefined })).toBe(true)
  expect(same({ a: 1 }, { a: 2 })).toBe(false)
})

test('a value without a JSON form equals itself and no other value', () => {
  const value = { amount: 1n }
  expect([same(value, value), same(value, { amount: 1n })]).toEqual([true, false])
})

test('an equal value keeps the identity of the previous one, and a changed value has its own', () => {
  const [before, equal, changed] = [{ a: 1 }, { a: 1 }, { a: 2 }]
  expect([keep(before, equal), keep(before, changed)]).toEqual([before, changed])
  expect(keep(before, equal)).toBe(before)
  expect(keep(before, changed)).toBe(changed)
})
