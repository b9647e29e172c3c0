import { expect, test } from 'vitest'
import { lineDiff } from './line-diff.ts'

test('a changed line is removed and added, and equal lines are context', () => {
  expect(lineDiff('a\nb\nc', 'a\nx\nc')).toEqual([' a', '-b', '+x', ' c'])
})

test('the old and the new text can be read back from the diff', () => {
  const texts = ['', 'a', 'a\nb', 'b\na\nb', 'c\na', 'a\na\na']
  for (const before of texts) {
    for (const after of texts) {
      const lines = lineDiff(before, after)
      const side = (other: string) =>
        lines
          .filter((line) => line[0] !== other)
          .map((line) => line.slice(1))
          .join('\n')
      expect([side('+'), side('-')]).toEqual([before, after])
    }
  }
})

test('texts that are too long to compare are shown whole, the old one first', () => {
  const long = Array.from({ length: 600 }, (_, index) => `${index}`).join('\n')
  const lines = lineDiff(long, long)
  expect(lines).toHaveLength(1200)
  expect(lines[0]).toBe('-0')
})
