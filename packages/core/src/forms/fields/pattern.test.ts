import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { zodFromFields } from '../zod/to-zod.ts'
import { compilePattern } from './pattern.ts'
import { validateInput } from './validate-input.ts'

/** The processor time of this process in milliseconds: other processes on a busy machine do not count. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** Patterns over a small alphabet, so that random texts often match. Without nested repetition RegExp is safe. */
const atom = fc.constantFrom(
  'a',
  'b',
  '.',
  '[ab]',
  '[^a]',
  '\\d',
  '\\w',
  '\\s',
  '\\.',
  '\\-',
  '[a-c1-]',
  'é',
  '😀',
  '\\u{1F600}',
)
const times = fc.constantFrom('', '', '*', '+', '?', '{2}', '{1,}', '{0,2}', '*?', '{1,2}?')
const { pattern } = fc.letrec<{ pattern: string; term: string; piece: string }>((tie) => ({
  pattern: fc.array(tie('term'), { minLength: 1, maxLength: 2 }).map((terms) => terms.join('|')),
  term: fc.array(tie('piece'), { maxLength: 4 }).map((pieces) => pieces.join('')),
  piece: fc.oneof(
    { maxDepth: 2, depthSize: 'small' },
    fc.constantFrom('^', '$'),
    fc.tuple(atom, times).map(([a, t]) => a + t),
    fc.tuple(fc.constantFrom('(', '(?:'), tie('pattern'), times).map(([open, p, t]) => `${open}${p})${t}`),
  ),
}))
const text = fc
  .array(fc.constantFrom('a', 'b', 'c', '1', '-', '.', ' ', '\n', 'é', '😀'), { maxLength: 8 })
  .map((c) => c.join(''))

function platform(source: string): RegExp | null {
  for (const flags of ['u', '']) {
    try {
      return new RegExp(source, flags)
    } catch {}
  }
  return null
}

describe('compilePattern', () => {
  test('the matcher agrees with RegExp on every pattern that both understand', () => {
    let compared = 0
    fc.assert(
      fc.property(pattern, text, (source, input) => {
        // `\-` and friends need the platform's legacy mode, in which an astral character counts as two.
        const reference = platform(source)
        const ours = compilePattern(source)
        if (!reference || (!reference.unicode && /[^\p{ASCII}]|u\{/u.test(source + input))) return
        expect(ours, `${source} is in the subset`).not.toBeNull()
        expect(ours!.test(input), `${source} on ${JSON.stringify(input)}`).toBe(reference.test(input))
        compared++
      }),
      { numRuns: 5_000 },
    )
    expect(compared).toBeGreaterThan(2_500)
  })

  test.each([
    ['^[A-Z]{2}\\d{4}$', 'DE2026', 'De2026'],
    ['^#(?:[0-9a-f]{3}){1,2}$', '#aabbcc', '#aabb'],
    ['^\\p{L}+$', 'Ärger', 'a1'],
    ['colou?r', 'the color', 'colt'],
  ])('%s accepts %s and rejects %s', (source, good, bad) => {
    expect(compilePattern(source)!.test(good)).toBe(true)
    expect(compilePattern(source)!.test(bad)).toBe(false)
  })

  test.each([
    '(?=a)a',
    '(?<!a)b',
    '(a)\\1',
    '(?<n>a)',
    'a**',
    '(',
    'a)',
    '[a',
    'a{2}{3}',
    '{',
    'x{3,1}',
    '\\',
    '\\q',
    '*a',
    '\\bword',
  ])('a pattern outside the subset yields null: %s', (source) => {
    expect(compilePattern(source)).toBeNull()
  })

  test.each([
    'a{999}{2}',
    '(a{99}){99}',
    `${'('.repeat(5)}a${'{99})'.repeat(5)}{99}`,
    '((((){9999}){9999}){9999}){9999}',
  ])('counted repetition has a limit: %s', (source) => {
    // The fastest of five runs, because a busy machine may interrupt any one of them.
    const times = Array.from({ length: 5 }, () => {
      const before = cpuMs()
      expect(compilePattern(source)).toBeNull()
      return cpuMs() - before
    })
    expect(Math.min(...times)).toBeLessThan(50)
  })

  test.each(['^(a+)+$', '^(a|a)*$', '^(a|aa)+$', '^(a*)*b', '([a-zA-Z]+)*$', '^(.*a){20}$', '(x+x+)+y'])(
    'a pattern that is catastrophic on 28 characters elsewhere takes microseconds here: %s',
    (source) => {
      const safe = compilePattern(source)!
      const input = `${'a'.repeat(28)}!`
      for (let n = 0; n < 20; n++) safe.test(input)
      const before = cpuMs()
      for (let n = 0; n < 20; n++) safe.test(input)
      expect((cpuMs() - before) / 20).toBeLessThan(5)
    },
  )

  test('every pattern from outside finishes quickly on every text [T16.1]', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'ab()[]{}*+?|^$\\d.-,19'), maxLength: 512 }), (source) => {
        const before = cpuMs()
        compilePattern(source)?.test('ab'.repeat(5_000))
        expect(cpuMs() - before).toBeLessThan(1_000)
      }),
      { numRuns: 300 },
    )
    const heavy = compilePattern(`(?:${'.?'.repeat(200)}){4}`)
    expect(heavy?.test('b'.repeat(100_000)) ?? false).toBe(false)
  })
})

test('a zod form of many fields with costly patterns has the same budget, and names the pattern at its field [T16.4]', () => {
  const form = zodFromFields(
    Array.from({ length: 100 }, (_, n) => ({
      type: 'text' as const,
      id: `f${n}`,
      label: 'F',
      pattern: `(?:\\p{L}?){320}x{${1 + (n % 3)}}`,
    })),
  )
  const started = performance.now()
  expect(
    form.safeParse(Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`f${n}`, 'a'.repeat(980)]))).success,
  ).toBe(false)
  expect(performance.now() - started).toBeLessThan(1_500)
  const plain = zodFromFields([{ type: 'text', id: 'code', label: 'Code', pattern: '^[A-Z]{2}$' }])
  expect(plain.safeParse({ code: 'DE' }).success).toBe(true)
  expect(plain.safeParse({ code: 'de' }).error?.issues).toMatchObject([{ path: ['code'], params: { code: 'pattern' } }])
})

test('an answer of many fields with costly patterns has one shared budget [T16.3]', () => {
  const costly = (n: number) => `(?:\\p{L}?){320}x{${n}}`
  const fields = (count: number, pattern: (n: number) => string) =>
    Array.from({ length: count }, (_, n) => ({ type: 'text' as const, id: `f${n}`, label: 'F', pattern: pattern(n) }))
  const input = (count: number, text: string) => Object.fromEntries(fields(count, () => '').map(({ id }) => [id, text]))
  const started = cpuMs()
  const checked = validateInput(
    fields(100, (n) => costly(1 + (n % 3))),
    input(100, 'a'.repeat(980)),
  )
  // Without the budget: 100 × 320 × 980 steps, about five seconds.
  expect(cpuMs() - started).toBeLessThan(1_500)
  expect(checked.ok).toBe(false)
  // Real answers need far less.
  expect(
    validateInput(
      fields(100, () => '^[A-Z]{2}\\d{4}$'),
      input(100, 'DE2026'),
    ).ok,
  ).toBe(true)
})
