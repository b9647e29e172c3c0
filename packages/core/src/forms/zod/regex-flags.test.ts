import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compilePattern } from '../fields/pattern.ts'
import { patternWithoutFlags } from './regex-flags.ts'

describe('patternWithoutFlags', () => {
  test.each<[RegExp, string | null]>([
    [/^abc$/i, '^[aA][bB][cC]$'],
    [/^abc$/u, '^abc$'],
    [/a+|b{2,3}/i, '[aA]+|[bB]{2,3}'],
    [/[a-fx-]\d/i, '[A-FXa-fx-]\\d'],
    [/[^q]/i, '[^Qq]'],
    [/[W-c]/i, '[A-Cw-zW-c]'],
    [/(?:ä|\.)/i, '(?:[äÄ]|\\.)'],
    [/a.b/s, 'a[\\s\\S]b'],
    [/a\.b/s, 'a\\.b'],
    [/a/m, 'a'],
    [/^a$/m, null],
    [/a/y, null],
    [/\p{Lu}/iu, null],
    [/\x41/i, null],
  ])('%s', (regex, pattern) => expect(patternWithoutFlags(regex)).toBe(pattern))

  test('the pattern accepts what the regular expression accepts', () => {
    const atoms = fc.constantFrom('a', 'Z', '[a-f]', '[^x]', '[W-c]', '[0-9_-]', '\\d', '\\w', '.', 'ö', '-', '\\.')
    const sources = fc.array(fc.tuple(atoms, fc.constantFrom('', '+', '?', '{1,2}')), { minLength: 1, maxLength: 4 })
    const texts = fc.string({ unit: fc.constantFrom(...'aAbBxXzZöÖ09_-.\n[^'), maxLength: 5 })
    fc.assert(
      fc.property(sources, fc.constantFrom('i', 's', 'is', 'g'), texts, (parts, flags, text) => {
        const regex = new RegExp(`^${parts.map((part) => part.join('')).join('')}$`, flags)
        const pattern = patternWithoutFlags(regex)
        expect(pattern).not.toBeNull()
        expect(compilePattern(pattern as string)?.test(text)).toBe(regex.test(text))
      }),
      { numRuns: 2_000 },
    )
  })
})
