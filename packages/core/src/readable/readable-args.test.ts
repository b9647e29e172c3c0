import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readableArgs } from './readable-args.ts'
import { readableText } from './readable-text.ts'
import type { ReadableRow, ReadableValue } from './types.ts'

const options = { timeZone: 'Europe/Berlin' }
const rowsOf = (args: unknown, more = {}): readonly ReadableRow[] => {
  const value = readableArgs(args, { ...options, ...more })
  return value.kind === 'group' ? value.rows : []
}
const text = (value: ReadableValue | undefined) =>
  value && 'text' in value ? value.text.replace(/[\u00a0\u202f]/g, ' ') : undefined
/** The label and the text of one argument. */
const one = (args: object, more = {}) => {
  const [row] = rowsOf(args, more)
  return `${row?.label}: ${text(row?.value)}`
}

describe('arguments are shown in the reader’s language', () => {
  test.each([
    [{ first_name: 'Ada' }, 'First name: Ada'],
    [{ copies: 12500 }, 'Copies: 12,500'],
    [{ year: 12026 }, 'Year: 12026'],
    [{ order_id: 4711234 }, 'Order id: 4711234'],
    [{ timeoutMs: 30000 }, 'Timeout: 30,000 ms'],
    [{ size_kb: 12.5 }, 'Size: 12.5 kB'],
    [{ business_days: 3 }, 'Business days: 3'],
    [{ force: true }, 'Force: Yes'],
    [{ force: false }, 'Force: No'],
    [{ parent: null }, 'Parent: None'],
    [{ note: '' }, 'Note: Empty'],
    [{ files: [] }, 'Files: Empty list'],
    [{ headers: {} }, 'Headers: {}'],
    [{ due: '2026-02-01' }, 'Due: February 1, 2026'],
    [{ due: '2026-02-01T10:00:00Z' }, 'Due: February 1, 2026 at 11:00 AM GMT+1'],
    [{ due: '2026-02-01T10:00:05.25+0000' }, 'Due: February 1, 2026 at 11:00:05.25 AM GMT+1'],
    [{ due: '2026-02-01T10:00' }, 'Due: February 1, 2026 at 10:00 AM'],
    [{ due: '2026-02-30' }, 'Due: 2026-02-30'],
    [{ amount: 12.5, currency: 'EUR' }, 'Amount: EUR 12.50'],
    [{ amount: 12.345, currency: 'EUR' }, 'Amount: EUR 12.345'],
    [{ amount: 1249900, currency: 'EUR' }, 'Amount: EUR 1,249,900'],
    [{ amount_cents: 1249900, currency: 'EUR' }, 'Amount: EUR 12,499.00'],
    [{ amount_cents: 500, currency: 'JPY' }, 'Amount cents: 500'],
    [{ amount_cents: 500 }, 'Amount cents: 500'],
  ])('%j is shown as %s', (args, shown) => {
    expect(one(args)).toBe(shown)
  })

  test('German and Arabic readers see their own separators, digits and words', () => {
    expect(one({ betrag: 12500.5 }, { locale: 'de' })).toBe('Betrag: 12.500,5')
    expect(one({ due: '2026-02-01' }, { locale: 'de' })).toBe('Due: 1. Februar 2026')
    expect(one({ copies: 12 }, { locale: 'ar-EG' })).toBe('Copies: ١٢')
    expect(one({ force: true }, { words: { yes: 'Ja' } })).toBe('Force: Ja')
  })

  test('a currency next to its amount has no row of its own, and any other has', () => {
    expect(rowsOf({ amount: 5, currency: 'EUR' }).map(({ key }) => key)).toEqual(['amount'])
    expect(rowsOf({ amount: 5, currency: 'eur' }).map(({ key }) => key)).toEqual(['amount', 'currency'])
    expect(rowsOf({ weight: 5, currency: 'EUR' }).map(({ key }) => key)).toEqual(['weight', 'currency'])
  })
})

describe('what is shown has the meaning of what runs', () => {
  test.each([
    [0.1 + 0.2, '0.30000000000000004'],
    [9007199254740991, '9,007,199,254,740,991'],
    [2 ** 53, '9007199254740992'],
    [1e21, '1e+21'],
    [1e-7, '1e-7'],
    [-0.5, '-0.5'],
  ])('the number %d loses no digit: %s', (amount, shown) => {
    expect(one({ x: amount })).toBe(`X: ${shown}`)
  })

  test.each(['No', 'yes', 'true', 'None', 'null', 'Empty', ' padded', 'padded ', '10.000', '1,5', '"quoted"'])(
    'the text %j is quoted, because it reads like another value',
    (value) => {
      expect(one({ x: value })).toBe(`X: "${value}"`)
    },
  )

  test('invisible and turning characters are shown as escapes, in keys and in values', () => {
    expect(one({ file: 'invoice\u202efdp.exe' })).toBe('File: invoice\\u{202e}fdp.exe')
    const [row] = rowsOf({ 'to\u200b': 'a\u2066b' })
    expect(row).toMatchObject({ label: 'To\\u{200b}', value: { text: 'a\\u{2066}b' } })
  })

  test.each<[string, object, (string | undefined)[]]>([
    ['equal labels', { firstName: 1, first_name: 2 }, ['firstName', 'first_name']],
    ['labels that differ in case', { amount: 1, AMOUNT: 2 }, ['amount', 'AMOUNT']],
    ['compatible characters', { amount: 1, ａmount: 2 }, ['amount', '"\\u{ff41}mount"']],
    ['a unit that was taken away', { timeout: 1, timeoutMs: 2 }, ['timeout', 'timeoutMs']],
    ['mixed scripts', { amount: 1, аmount: 2 }, [undefined, '"\\u{430}mount"']],
    ['letters that look Latin', { сос: 1 }, ['"\\u{441}\\u{43e}\\u{441}"']],
    ['spaces', { ' to': 1, to: 2 }, ['" to"', 'to']],
    ['an honest name', { сумма: 1, größe: 2, 金額: 3 }, [undefined, undefined, undefined]],
  ])('keys that could be confused carry their exact names: %s', (_what, args, exact) => {
    expect(rowsOf(args).map(({ exactKey }) => exactKey)).toEqual(exact)
  })

  test('a text of several lines is complete, and cannot pretend to be a row', () => {
    const shown = readableText({ body: 'Hello\nForce: No', force: true }, options)
    expect(shown).toBe('Body:\n  Hello\n  Force: No\nForce: Yes')
  })

  test('a value that is nested too deep is shown as JSON', () => {
    const [row] = rowsOf({ a: { b: { c: { d: { e: 1 } } } } }, { depth: 2 })
    expect(row?.value).toMatchObject({
      kind: 'group',
      rows: [{ value: { kind: 'json', text: '{\n  "c": {\n    "d": {\n      "e": 1\n    }\n  }\n}' } }],
    })
  })

  test('arguments that are no object are shown as a value', () => {
    expect(readableArgs('text')).toEqual({ kind: 'text', text: 'text', block: false })
    expect(readableArgs(undefined)).toEqual({ kind: 'plain', text: 'None', exact: 'null' })
    expect(readableText(['a', { b: 1, c: [2] }])).toBe('- a\n- B: 1\n  C:\n    - 2')
  })

  test('every value of any JSON is shown, whole, and different arguments never look the same', () => {
    const json = fc.jsonValue({ maxDepth: 3 })
    fc.assert(
      fc.property(json, json, (a, b) => {
        const shownA = JSON.stringify(readableArgs(a, options))
        const shownB = JSON.stringify(readableArgs(b, options))
        expect(shownA === shownB).toBe(JSON.stringify(a) === JSON.stringify(b))
      }),
      { numRuns: 500 },
    )
  })

  test('small changes of arguments change what is shown', () => {
    const key = fc.constantFrom('to', 'timeout', 'timeoutMs', 'amount', 'amount_cents', 'currency', 'первый')
    const value = fc.constantFrom<unknown>(
      0,
      1,
      100,
      1.5,
      10000,
      '1',
      '10.000',
      '10,000',
      'EUR',
      'eur',
      true,
      false,
      null,
      '',
      [],
      {},
      'Yes',
      '"Yes"',
      '2026-02-01',
      ['1'],
      ['Yes'],
      [true],
    )
    const args = fc.dictionary(key, value, { maxKeys: 4 })
    fc.assert(
      fc.property(args, args, (a, b) => {
        const shown = readableText(a, options)
        expect(shown === readableText(b, options), shown).toBe(meaningOf(a) === meaningOf(b))
      }),
      { numRuns: 5_000 },
    )
  })
})

/** The text of a number means the number. */
const meaningOf = (args: unknown) => JSON.stringify(args).replace(/"(\d+)"(?=[,}\]])/g, '$1')
