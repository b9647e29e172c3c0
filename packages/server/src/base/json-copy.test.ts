import { anyCharacter } from '@holdpoint/conformance/any-character'
import { shownDigest } from '@holdpoint/core/wire'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { canonicalJson, digestOfShown } from './canonical-json.ts'
import { jsonCopy } from './json-copy.ts'

const throughText = (value: unknown): unknown => {
  const text = JSON.stringify(value)
  return text === undefined ? undefined : JSON.parse(text)
}

/** The same text as before there was a copy without text: digests of it are stored. */
function canonicalByText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalByText).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonicalByText(item)}`).join(',')}}`
}

const values = fc.anything({
  maxDepth: 6,
  withDate: true,
  withBoxedValues: true,
  withNullPrototype: true,
  withSparseArray: true,
  withMap: true,
  withTypedArray: true,
  key: fc.oneof(fc.string({ unit: anyCharacter }), fc.constantFrom('__proto__', '10', '9', 'toJSON', '"', '\ud800')),
})

test('jsonCopy returns what JSON.parse reads from the text of JSON.stringify, and its canonical text is the same', () => {
  fc.assert(
    fc.property(values, (value) => {
      const expected = throughText(value)
      expect(jsonCopy(value)).toStrictEqual(expected)
      expect(canonicalJson(value)).toBe(expected === undefined ? 'null' : canonicalByText(expected))
    }),
    { numRuns: 3_000 },
  )
})

test('the server computes the same digest of a shown question as the client', () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: anyCharacter }), (value) => {
      expect(digestOfShown(value)).toBe(shownDigest(value as never))
    }),
    { numRuns: 500 },
  )
})

test.each([
  ['-0', -0],
  ['NaN', Number.NaN],
  ['half a surrogate pair', 'a\ud800'],
  ['an own __proto__', JSON.parse('{"__proto__":{"a":1},"b":2}')],
  ['a toJSON that returns nothing', { a: { toJSON: () => undefined }, b: [{ toJSON: () => undefined }] }],
  ['a function with a toJSON', Object.assign(() => 1, { toJSON: () => 'called' })],
  [
    'a class',
    new (class Point {
      x = 1
    })(),
  ],
  ['deep data', Array.from({ length: 500 }).reduce((inner) => [inner], 1)],
])('%s is copied as JSON represents it', (_what, value) => {
  expect(jsonCopy(value)).toStrictEqual(throughText(value))
})

test('jsonCopy throws what JSON.stringify throws', () => {
  const cycle: { self?: unknown } = {}
  cycle.self = cycle
  for (const value of [1n, [1n], cycle]) expect(() => jsonCopy(value)).toThrow(TypeError)
})
