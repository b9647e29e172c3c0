import { expect, test } from 'vitest'
import { met, type Result } from './result.ts'

const result: Result = { id: 'a', scenario: 's', figure: 'f', unit: '', better: 'lower', value: 2 }

test.each([
  ['lower', 2, 2, true],
  ['lower', 2.01, 2, false],
  ['higher', 2, 2, true],
  ['higher', 1.99, 2, false],
] as const)('%s is better: %d with a target of %d', (better, value, target, expected) => {
  expect(met({ ...result, better, value, target })).toBe(expected)
})

test('a figure without a target is neither met nor missed', () => {
  expect(met(result)).toBeUndefined()
})
