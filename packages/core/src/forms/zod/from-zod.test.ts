import * as v from 'valibot'
import { describe, expect, expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import { z as z3 } from 'zod-3'
import { isHoldpointError } from '../../error.ts'
import { validateInput } from '../fields/validate-input.ts'
import { humanize } from '../json-schema/humanize.ts'
import { fieldsFromZod } from './from-zod.ts'
import { zodFromFields } from './to-zod.ts'

const one = (type: z.ZodType) => {
  const { id, ...field } = fieldsFromZod(z.object({ someKey: type }))[0]!
  return field
}
const yes = { label: 'Some key', required: true }

describe('a schema that forms cannot read yields an error that names the fault', () => {
  const object = { name: 'unused' }
  test.each<[string, unknown, string]>([
    ['zod 3', z3.object({ name: z3.string() }), 'schema of zod 3'],
    ['valibot', v.object({ name: v.string() }), 'schema of valibot'],
    ['no schema', object, 'schema of another library'],
    [
      'a flag',
      z.object({ a: z.string().regex(/^a$/m) }),
      'properties.a: `pattern` cannot be a form: the regular expression /^a$/m has the flag "m"',
    ],
    ['a union', z.object({ a: z.union([z.string(), z.number()]) }), 'this union has string and number'],
    [
      'a union with limits',
      z.object({ a: z.union([z.string().min(1), z.number().min(1)]) }),
      'this union has string and number',
    ],
  ])('%s', (_, schema, message) => {
    expect(() => fieldsFromZod(schema as z.ZodType)).toThrow(
      expect.objectContaining({ code: 'unsupported_schema', message: expect.stringContaining(message) }),
    )
  })
})

test('a regular expression that ignores case accepts both cases in the form', () => {
  const schema = z.object({ code: z.string().regex(/^abc$/i) })
  const fields = fieldsFromZod(schema)
  expect(validateInput(fields, { code: 'ABC' })).toEqual({ ok: true, value: { code: 'ABC' } })
  expect(validateInput(fields, { code: 'abd' }).ok).toBe(false)
  const own = z.object({ code: z.stringFormat('code', /^x$/i) })
  expect(fieldsFromZod(own)).toMatchObject([{ pattern: '^[xX]$' }])
})

describe('fieldsFromZod', () => {
  test.each<[string, z.ZodType, object]>([
    ['text', z.string().min(2).max(9).regex(/^a/), { ...yes, type: 'text', minLength: 2, maxLength: 9, pattern: '^a' }],
    [
      'a title',
      z.string().meta({ title: 'My key' }).describe('Help').optional(),
      { label: 'My key', description: 'Help', type: 'text' },
    ],
    [
      'a title and a description in one',
      z.string().meta({ title: 'My key', description: 'Help' }),
      { ...yes, label: 'My key', description: 'Help', type: 'text' },
    ],
    [
      'a label',
      z.string().meta({ label: 'My key', placeholder: '…' }),
      { ...yes, label: 'My key', placeholder: '…', type: 'text' },
    ],
    ['e-mail', z.email(), { ...yes, type: 'email' }],
    [
      'an own e-mail pattern',
      z.email({ pattern: /@example\.com$/ }),
      { ...yes, type: 'email', pattern: '@example\\.com$' },
    ],
    ['a url', z.url(), { ...yes, type: 'url' }],
    ['a date', z.iso.date().meta({ min: '2026-01-01' }), { ...yes, type: 'date', min: '2026-01-01' }],
    ['a date and time', z.iso.datetime({ offset: true }), { ...yes, type: 'datetime' }],
    [
      'a number',
      z.number().min(0.5).max(2).optional(),
      { label: 'Some key', type: 'number', minimum: 0.5, maximum: 2 },
    ],
    ['a coerced number', z.coerce.number(), { ...yes, type: 'number' }],
    ['an integer', z.int().min(1).default(1), { label: 'Some key', type: 'integer', minimum: 1, defaultValue: 1 }],
    ['an integer between open limits', z.int().positive().lt(10), { ...yes, type: 'integer', minimum: 1, maximum: 9 }],
    ['a boolean', z.boolean().default(true), { label: 'Some key', type: 'checkbox', defaultValue: true }],
    [
      'an enum',
      z.enum(['a', 'b']),
      {
        ...yes,
        type: 'select',
        options: [
          { value: 'a', label: 'a' },
          { value: 'b', label: 'b' },
        ],
      },
    ],
    [
      'a union of literals',
      z.union([z.literal('a'), z.literal('b')]),
      {
        ...yes,
        type: 'select',
        options: [
          { value: 'a', label: 'a' },
          { value: 'b', label: 'b' },
        ],
      },
    ],
    ['must be ticked', z.literal(true), { ...yes, type: 'checkbox', const: true }],
    ['ticked or nothing', z.literal(true).optional(), { label: 'Some key', type: 'checkbox', const: true }],
    ['one literal', z.literal('a'), { ...yes, type: 'select', options: [{ value: 'a', label: 'a' }] }],
    [
      'several',
      z.array(z.enum(['a'])).min(1),
      { ...yes, type: 'multiselect', options: [{ value: 'a', label: 'a' }], minItems: 1 },
    ],
    [
      'labeled options',
      z.enum(['a']).meta({ field: 'radio', options: [{ value: 'a', label: 'A' }] }),
      { ...yes, type: 'radio', options: [{ value: 'a', label: 'A' }] },
    ],
    ['a text area', z.string().meta({ field: 'textarea' }), { ...yes, type: 'textarea' }],
    ['a secret', z.string().min(8).meta({ field: 'secret' }), { ...yes, type: 'secret', minLength: 8 }],
    [
      'uuid, by its pattern',
      z.uuid().optional(),
      { label: 'Some key', type: 'text', pattern: expect.stringContaining('0-9a-fA-F') },
    ],
    ['a transformed text', z.string().transform(Number), { ...yes, type: 'text' }],
  ])('%s', (_, type, field) => {
    expect(one(type)).toEqual(field)
  })

  test.each<[string, z.ZodType, string]>([
    ['a Date', z.object({ d: z.date() }), 'z.iso.date()'],
    ['null', z.object({ d: z.string().nullable() }), '.optional()'],
    ['an enum or null', z.object({ d: z.enum(['a']).nullable() }), '.optional()'],
    ['nesting', z.object({ d: z.object({ e: z.string() }) }), 'properties.d'],
    ['a list of texts', z.object({ d: z.array(z.string()) }), 'items'],
    ['two patterns', z.object({ d: z.string().regex(/a/).regex(/b/) }), 'allOf'],
    ['a multiple', z.object({ d: z.number().multipleOf(0.5) }), 'multipleOf'],
    ['an open limit of a fractional number', z.object({ d: z.number().positive() }), 'exclusiveMinimum'],
    ['must not be ticked', z.object({ d: z.literal(false) }), 'restricted to `true` only'],
    ['ticked or not, as literals', z.object({ d: z.literal([true, false]) }), 'enum'],
    ['anything', z.object({ d: z.any() }), 'properties.d'],
    ['no object', z.string(), 'z.object'],
    ['a discriminated union', z.discriminatedUnion('t', [z.object({ t: z.literal('a') })]), 'z.object'],
    [
      'labels for other values',
      z.object({ d: z.enum(['a']).meta({ options: [{ value: 'b', label: 'B' }] }) }),
      'same values',
    ],
    [
      'a presentation that does not fit the type',
      z.object({ d: z.number().meta({ field: 'textarea' }) }),
      'cannot be shown',
    ],
    ['a secret with a default', z.object({ d: z.string().default('x').meta({ field: 'secret' }) }), 'default'],
  ])('a schema with %s is rejected, with the remedy', (_, schema, words) => {
    expect.assertions(2)
    try {
      fieldsFromZod(schema)
    } catch (error) {
      expect(isHoldpointError(error, 'unsupported_schema')).toBe(true)
      expect((error as Error).message).toContain(words)
    }
  })
})

test('zodFromFields is typed, describes itself, and uses our messages', () => {
  const schema = zodFromFields([
    { id: 'email', type: 'email', label: 'E-mail', required: true },
    { id: 'copies', type: 'integer', label: 'Copies', minimum: 1, defaultValue: 1 },
  ])
  expectTypeOf<z.infer<typeof schema>>().toEqualTypeOf<{ email: string; copies?: number }>()
  expect(schema.parse({ email: 'ada@example.com' })).toEqual({ email: 'ada@example.com', copies: 1 })
  const { error } = schema.safeParse({ email: 'ada', copies: 0, extra: 1 })
  expect(error?.issues.map(({ path, message }) => [path.join('.'), message])).toEqual([
    ['email', 'Give an e-mail address, such as ada@example.com.'],
    ['copies', 'Give 1 or more.'],
    ['', 'Unrecognized key: "extra"'],
  ])
  expect(z.toJSONSchema(schema)).toMatchObject({
    properties: { email: { format: 'email', title: 'E-mail' }, copies: { minimum: 1 } },
  })
})

test('a required checkbox is required in zod too, with the message of Holdpoint', () => {
  const schema = zodFromFields([{ id: 'terms', type: 'checkbox', label: 'Terms', required: true, const: true }])
  expectTypeOf<z.infer<typeof schema>>().toEqualTypeOf<{ terms: true }>()
  expect(schema.safeParse({ terms: false }).error?.issues.map(({ message }) => message)).toEqual([
    'This must be ticked.',
  ])
  expect(schema.parse({ terms: true })).toEqual({ terms: true })
})

test('zodFromFields rejects a name that objects inherit, which zod would read as an answer', () => {
  expect(() => zodFromFields([{ id: 'constructor', type: 'text', label: 'C' }])).toThrow('use another id')
})

test('a catastrophic pattern does not reach RegExp through zod [T16.2]', () => {
  const schema = zodFromFields([{ id: 'p', type: 'text', label: 'P', pattern: '^(a+)+$' }])
  const before = performance.now()
  expect(schema.safeParse({ p: `${'a'.repeat(40)}!` }).success).toBe(false)
  expect(performance.now() - before).toBeLessThan(100)
})

test('the validator accepts the values that zod accepts', () => {
  const schema = z.object({ email: z.email(), at: z.iso.datetime(), copies: z.int().min(1).default(1) })
  const checked = validateInput(fieldsFromZod(schema), {
    email: ' ada@example.com',
    at: '2026-01-31T10:30+01:00',
    copies: '3',
  })
  expect(checked.ok && schema.parse(checked.value)).toEqual({
    email: 'ada@example.com',
    at: '2026-01-31T09:30:00Z',
    copies: 3,
  })
})

test.each([
  ['firstName', 'First name'],
  ['first_name', 'First name'],
  ['apiURL', 'Api URL'],
  ['URLPath', 'URL path'],
  ['e-mail', 'E mail'],
  ['x', 'X'],
  ['_', '_'],
])('humanize(%s) is %s', (key, label) => {
  expect(humanize(key)).toBe(label)
})
