import { expect, test } from 'vitest'
import { compareKeys } from './limits.ts'

test('keys are ordered by their UTF-8 bytes, not by UTF-16', () => {
  const keys = [
    '',
    'a',
    'a\u{0}b',
    'ab',
    'b',
    'é',
    '\u{d7ff}',
    '\u{e000}',
    '\u{ffff}',
    '\u{10000}',
    '\u{10ffff}',
    '😀a',
  ]
  for (const a of keys) {
    for (const b of keys) {
      expect(Math.sign(compareKeys(a, b)), `${a} before ${b}`).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)))
    }
  }
})
