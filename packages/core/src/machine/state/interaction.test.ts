import { expect, test } from 'vitest'
import { isOpen } from './interaction.ts'

test.each([
  ['pending', true],
  ['submitting', true],
  ['not_sent', true],
  ['answered', false],
  ['expired', false],
] as const)('a question that is %s accepts an answer: %s', (status, open) => {
  expect(isOpen({ status })).toBe(open)
})

test('a question that another one replaces accepts no answer, also while its own answer is being sent', () => {
  for (const status of ['pending', 'submitting', 'not_sent'] as const) {
    expect(isOpen({ status, replacedBy: 'i2' })).toBe(false)
  }
})
