import { describe, expect, test } from 'vitest'
import type { FieldProblem, FieldSpec } from './types.ts'
import { validateInput } from './validate-input.ts'

type Kind = FieldSpec['type']
const options = [
  { value: 'red', label: 'Red' },
  { value: 'blue', label: 'Blue' },
]
const field = (type: Kind, rest: Record<string, unknown> = {}) =>
  ({ id: 'f', label: 'F', type, ...(/select|radio/.test(type) ? { options } : {}), ...rest }) as FieldSpec
const check = (type: Kind, raw: unknown, rest?: Record<string, unknown>) =>
  validateInput([field(type, rest)], { f: raw })
const codes = (result: ReturnType<typeof check>) =>
  result.ok
    ? []
    : Object.values(result.problems)
        .flat()
        .map((found: FieldProblem) => found.code)
const value = (result: ReturnType<typeof check>) => (result.ok ? result.value : result.problems)

const file = { handle: 'upl_1', name: 'Plan.PDF', size: 2_000, type: 'application/pdf' }

describe("values of controls become values of the fields' types", () => {
  test.each<[Kind, unknown, unknown, Record<string, unknown>?]>([
    ['text', ' kept as typed ', ' kept as typed '],
    ['textarea', 'two\nlines', 'two\nlines'],
    ['number', ' 12.50 ', 12.5],
    ['number', '1e3', 1000],
    ['number', '-0', 0],
    ['number', -2, -2],
    ['integer', '42', 42],
    ['integer', '4e1', 40],
    ['checkbox', 'on', true],
    ['checkbox', false, false],
    ['checkbox', 'false', false],
    ['select', 'red', 'red'],
    ['radio', 'blue', 'blue'],
    ['multiselect', ['blue', 'red', 'blue'], ['blue', 'red']],
    ['multiselect', 'red', ['red']],
    ['email', ' ada@example.com ', 'ada@example.com'],
    ['email', 'ада@пример.рф', 'ада@пример.рф'],
    ['url', 'HTTPS://Example.com/a?b', 'HTTPS://Example.com/a?b'],
    ['date', '2028-02-29', '2028-02-29'],
    ['datetime', '2026-01-31T09:30:00+01:00', '2026-01-31T08:30:00Z'],
    ['datetime', '2026-01-31T09:30Z', '2026-01-31T09:30:00Z'],
    ['secret', ' hunter2', ' hunter2'],
    ['file', { ...file, extra: 1 }, file, { accept: ['.pdf'], maxBytes: 2_000 }],
    ['file', [file], file],
    ['file', [file, file], [file, file], { multiple: true, accept: ['image/*', 'application/pdf'] }],
  ])('%s %j → %j', (type, raw, expected, rest) => {
    expect(check(type, raw, rest)).toStrictEqual({ ok: true, value: { f: expected } })
  })

  test.each<[Kind, unknown]>([
    ['text', ''],
    ['number', '  '],
    ['date', ''],
    ['multiselect', []],
    ['file', null],
    ['file', []],
    ['email', '  '],
    ['select', ''],
    ['secret', null],
  ])('%s %j is no answer: it is omitted, or missing if required', (type, raw) => {
    expect(check(type, raw)).toStrictEqual({ ok: true, value: {} })
    expect(codes(check(type, raw, { required: true }))).toEqual(['required'])
  })

  test('a default replaces a missing value, but not a cleared one', () => {
    const fields = [field('text', { defaultValue: 'x' })]
    expect(validateInput(fields, {})).toStrictEqual({ ok: true, value: { f: 'x' } })
    expect(validateInput(fields, { f: '' })).toStrictEqual({ ok: true, value: {} })
  })

  test('an unchecked checkbox has the value false', () => {
    expect(validateInput([field('checkbox', { required: true })], {})).toStrictEqual({ ok: true, value: { f: false } })
    expect(validateInput([field('checkbox')], {})).toStrictEqual({ ok: true, value: {} })
  })

  test.each([undefined, false, 'false'])('with const true, %j is rejected', (raw) => {
    const sent = raw === undefined ? {} : { f: raw }
    expect(codes(validateInput([field('checkbox', { const: true, required: true })], sent))).toEqual(['not_ticked'])
    expect(validateInput([field('checkbox', { const: true })], sent)).toStrictEqual({ ok: true, value: {} })
  })

  test.each([true, 'on', 'true'])('with const true, %j is accepted, and other problems are still reported', (raw) => {
    const consent = field('checkbox', { const: true, required: true })
    expect(validateInput([consent], { f: raw })).toStrictEqual({ ok: true, value: { f: true } })
    expect(codes(validateInput([consent], { f: 'yes' }))).toEqual(['type'])
  })

  test('a date and time without a zone is accepted only with localTime', () => {
    const fields = [field('datetime')]
    const local = '2026-01-31T09:30'
    expect(codes(validateInput(fields, { f: local }))).toEqual(['bad_datetime'])
    expect(value(validateInput(fields, { f: local }, { localTime: true }))).toEqual({
      f: new Date(local).toISOString().replace('.000Z', 'Z'),
    })
  })

  test('validating valid values again returns them unchanged', () => {
    const fields = [field('datetime'), { ...field('number'), id: 'n' }]
    const once = validateInput(fields, { f: '2026-01-31T09:30+02:00', n: '1.0' })
    expect(once.ok && validateInput(fields, once.value)).toStrictEqual(once)
  })
})

describe('the problems of an input', () => {
  test.each<[Kind, unknown, FieldProblem['code'][], Record<string, unknown>?]>([
    ['text', 7, ['type']],
    ['text', 'abc', ['too_short', 'pattern'], { minLength: 5, pattern: '^\\d+$' }],
    ['textarea', 'abc', ['too_long'], { maxLength: 2 }],
    ['number', 'twelve', ['type']],
    ['number', '0x10', ['type']],
    ['number', '1,5', ['type']],
    ['number', 'Infinity', ['type']],
    ['number', Number.NaN, ['type']],
    ['number', Number.POSITIVE_INFINITY, ['type']],
    ['number', '1e999', ['type']],
    ['number', true, ['type']],
    ['number', 3, ['too_big'], { maximum: 2.5 }],
    ['integer', '1.5', ['not_integer', 'too_small'], { minimum: 2 }],
    ['integer', '9007199254740993', ['too_big']],
    ['checkbox', 'yes', ['type']],
    ['select', 'green', ['not_an_option']],
    ['radio', ['red'], ['type']],
    ['multiselect', ['red', 'green', 7], ['not_an_option', 'too_many'], { maxItems: 2 }],
    ['multiselect', ['red'], ['too_few'], { minItems: 2 }],
    ['email', 'ada@localhost', ['bad_email']],
    ['email', 'a b@example.com', ['bad_email']],
    ['email', `${'a'.repeat(250)}@b.de`, ['bad_email']],
    ['url', 'javascript:alert(1)', ['bad_url']],
    ['url', 'http:example.com', ['bad_url']],
    ['url', 'https://exa\tmple.com', ['bad_url']],
    ['url', 'https://', ['bad_url']],
    ['url', 'ftp://example.com', ['bad_url']],
    ['date', '2026-02-30', ['bad_date']],
    ['date', '31.01.2026', ['bad_date']],
    ['date', '2026-01-31', ['too_small'], { min: '2026-02-01' }],
    ['date', '2026-01-31', ['too_big'], { max: '2026-01-30' }],
    ['datetime', '2026-02-30T10:00:00Z', ['bad_datetime']],
    ['datetime', '2026-01-31T25:00:00Z', ['bad_datetime']],
    ['datetime', '2026-01-31T10:00:00+02:00', ['too_small'], { min: '2026-01-31T08:30:00Z' }],
    ['secret', 'abc', ['too_short'], { minLength: 8 }],
    ['secret', { secret: true }, ['type']],
    ['file', 'upl_1', ['type']],
    ['file', { ...file, size: -0.5 }, ['type']],
    ['file', [file, file], ['too_many']],
    ['file', file, ['bad_file', 'bad_file'], { accept: ['.png', 'image/*'], maxBytes: 1_999 }],
  ])('%s %j → %j', (type, raw, expected, rest) => {
    const result = check(type, raw, rest)
    expect(codes(result)).toEqual(expected)
    for (const { message } of result.ok ? [] : Object.values(result.problems).flat()) {
      expect(message).toMatch(/^[A-Z].+\.$/)
      expect(message).not.toMatch(/undefined|NaN|Infinity/)
    }
  })

  test('contain the parameters of their translation', () => {
    expect(value(check('text', 'a', { minLength: 2 }))).toEqual({
      f: [{ code: 'too_short', message: 'Use 2 or more characters.', params: { min: 2 } }],
    })
    expect(value(check('date', '2026-01-31', { min: '2026-02-01' }))).toEqual({
      f: [{ code: 'too_small', message: 'Give 2026-02-01 or later.', params: { min: '2026-02-01' } }],
    })
  })

  test('list unknown fields by name, up to twenty', () => {
    expect(codes(validateInput([field('text')], { f: 'x', g: 1 }))).toEqual(['unknown_field'])
    const flood = Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`x${n}`, n]))
    expect(codes(validateInput([field('text')], flood))).toHaveLength(20)
  })

  test.each([null, 'text', 7, []])('%j is not form input', (input) => {
    expect(codes(validateInput([field('text')], input))).toEqual(['type'])
  })

  test('do not include patterns outside the safe subset', () => {
    expect(check('text', 'abc', { pattern: '(?=x)abc' }).ok).toBe(true)
  })
})

describe('a name of the object prototype is an ordinary name', () => {
  const hostile = JSON.parse('{"__proto__": {"polluted": true}}')

  test('in unknown input', () => {
    const result = validateInput([field('text')], hostile)
    expect(result.ok ? [] : Object.keys(result.problems)).toEqual(['__proto__'])
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
  })

  test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])('as a field id: %s', (id) => {
    const fields = [{ ...field('text', { required: true }), id }]
    expect(codes(validateInput(fields, {}))).toEqual(['required'])
    const result = validateInput(fields, JSON.parse(`{"${id}":"x"}`))
    expect(result.ok && Object.entries(result.value)).toEqual([[id, 'x']])
  })
})

test('a field kind of a newer server is passed through unchanged', () => {
  const newer = { id: 'f', label: 'F', type: 'colour' } as unknown as FieldSpec
  expect(value(validateInput([newer], { f: '#fff' }))).toEqual({ f: '#fff' })
})
