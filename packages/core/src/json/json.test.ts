import { anyCharacter } from '@holdpoint/conformance/any-character'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseJson, utf8Length } from './json.ts'
import { createUtf8Decoder, decodeUtf8 } from './utf8.ts'

const code = (text: string, limits = {}) => {
  const parsed = parseJson(text, limits)
  return parsed.ok ? 'ok' : parsed.problem.code
}
const nested = (levels: number, [open, close]: [string, string]) => open.repeat(levels) + close.repeat(levels)

describe('parseJson', () => {
  test('parseJson accepts what JSON.parse accepts, and never throws', () => {
    fc.assert(
      fc.property(fc.oneof(fc.json(), fc.string(), fc.string({ unit: anyCharacter })), (text) => {
        const parsed = parseJson(text)
        if (parsed.ok) expect(parsed.value).toEqual(JSON.parse(text))
        else if (parsed.problem.code === 'invalid_json') expect(() => JSON.parse(text)).toThrow()
      }),
    )
  })

  test.each(['', '{', '{"a":}', 'undefined', "{'a':1}", '1 2', '\uFEFF'])('HP-ENC-2 %j is not JSON', (text) => {
    expect(code(text)).toBe('invalid_json')
  })

  test('HP-ENC-3 nesting is counted exactly in objects and arrays, and not inside strings', () => {
    expect(code(nested(64, ['[', ']']))).toBe('ok')
    expect(code(nested(65, ['[', ']']))).toBe('too_deep')
    expect(code(`${'{"a":'.repeat(64)}1${'}'.repeat(64)}`)).toBe('ok')
    expect(code(`${'{"a":['.repeat(33)}1${']}'.repeat(33)}`)).toBe('too_deep')
    expect(code(JSON.stringify(['[{"\\'.repeat(500)]))).toBe('ok')
    expect(code(JSON.stringify(Array.from({ length: 500 }, () => ({ a: [] }))))).toBe('ok')
    expect(code(nested(100_000, ['[', ']']))).toBe('too_deep')
  })

  test.each([
    ['{"__proto__":{"admin":true}}', '__proto__'],
    ['{"a":[{"__proto__":1}]}', 'a[0].__proto__'],
    ['{"a":{"b":{"\\u005f_proto__":1}}}', 'a.b.__proto__'],
    ['{"__p\\u0072oto__":1}', '__proto__'],
    ['{"\\u005F\\u005f\\u0070\\u0072\\u006F\\u0074\\u006f\\u005f\\u005f":1}', '__proto__'],
  ])('HP-ENC-4 %s is rejected with its path', (text, path) => {
    expect(parseJson(text)).toMatchObject({ ok: false, problem: { code: 'forbidden_key', path } })
  })

  test('HP-ENC-4 every escaped form of the key is found', () => {
    const escaped = fc
      .array(fc.constantFrom('raw', 'lower', 'upper'), { minLength: 9, maxLength: 9 })
      .map((ways) => [...'__proto__'].map((char, i) => spell(char, ways[i])).join(''))
    fc.assert(fc.property(escaped, (key) => void expect(code(`{"a":{"${key}":1}}`)).toBe('forbidden_key')))
  })

  test('__proto__ inside a string is allowed', () => {
    expect(code('{"prompt":"Delete __proto__ and \\u001b[0m?"}')).toBe('ok')
  })

  test('HP-ENC-7 size is measured in bytes and checked before parsing', () => {
    expect(code('"ü"', { maxBytes: 4 })).toBe('ok')
    expect(code('"üü"', { maxBytes: 5 })).toBe('too_large')
    expect(code('not json', { maxBytes: 5 })).toBe('too_large')
    expect(code(`"${'a'.repeat(1024 * 1024)}"`)).toBe('too_large')
  })
})

function spell(char: string, way: string | undefined): string {
  if (way === 'raw') return char
  const hex = char.charCodeAt(0).toString(16).padStart(4, '0')
  return `\\u${way === 'upper' ? hex.toUpperCase() : hex}`
}

describe('UTF-8', () => {
  test('utf8Length equals the length of the encoded text', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: anyCharacter }), fc.string({ unit: 'grapheme' }), fc.constant('\ud800a\udc00')),
        (text) => {
          expect(utf8Length(text)).toBe(new TextEncoder().encode(text).length)
        },
      ),
    )
  })

  test('HP-ENC-1 invalid bytes are rejected with a code, and valid ones decoded', () => {
    expect(decodeUtf8(new TextEncoder().encode('grün 🎈'))).toEqual({ ok: true, value: 'grün 🎈' })
    for (const bytes of [[0xff], [0xc3], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xf5, 0x80, 0x80, 0x80]]) {
      expect(decodeUtf8(Uint8Array.from(bytes))).toMatchObject({ ok: false, problem: { code: 'invalid_utf8' } })
    }
  })

  test('HP-ENC-1 a stream decodes the same for every division into chunks', () => {
    const cut = fc.tuple(
      fc.string({ unit: 'grapheme', maxLength: 30 }),
      fc.array(fc.nat({ max: 40 }), { maxLength: 8 }),
    )
    fc.assert(
      fc.property(cut, ([text, cuts]) => {
        const decode = createUtf8Decoder()
        const chunks = pieces(new TextEncoder().encode(text), cuts).map((piece) => decode(piece))
        expect(chunks.map((chunk) => chunk.text).join('')).toBe(text)
        expect(chunks.some((chunk) => chunk.damaged)).toBe(false)
      }),
    )
  })

  test('HP-ENC-1 a stream with invalid bytes reports them for every division into chunks, and continues', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 12 }), fc.array(fc.nat({ max: 14 }), { maxLength: 6 }), (noise, cuts) => {
        const decode = createUtf8Decoder()
        const bytes = Uint8Array.from([...noise, ...new TextEncoder().encode('--- end')])
        const chunks = pieces(bytes, cuts).map((piece) => decode(piece))
        expect(chunks.some((chunk) => chunk.damaged)).toBe(!decodeUtf8(bytes).ok)
        expect(chunks.map((chunk) => chunk.text).join('')).toMatch(/ end$/)
      }),
      { numRuns: 500 },
    )
  })
})

function pieces(bytes: Uint8Array, cuts: number[]): Uint8Array[] {
  const at = [...new Set([0, ...cuts.filter((cut) => cut < bytes.length), bytes.length])].sort((a, b) => a - b)
  return at.slice(1).map((end, i) => bytes.subarray(at[i], end))
}
