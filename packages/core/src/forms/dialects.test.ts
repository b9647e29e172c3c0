import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isHoldpointError } from '../error.ts'
import type { InputField } from './fields/types.ts'
import { validateInput } from './fields/validate-input.ts'
import { flattenSchema } from './json-schema/flatten-schema.ts'
import { fieldsFromJsonSchema } from './json-schema/from-json-schema.ts'
import { jsonSchemaFromFields } from './json-schema/to-json-schema.ts'
import { formOf, nearSchemas, plainField, portableField, thrown, withConditions } from './testing/arbitrary-fields.ts'

const DIALECTS = ['mcp-2025-11-25', 'mcp-2026-07-28', 'acp'] as const
const forms = formOf(plainField, 5)
const every = withConditions(formOf(portableField, 5))
const tolerant = { tolerant: true }

/** The keywords that a property may have in MCP's form schema. MCP's SDKs drop or refuse all others. */
const KEYWORDS: Readonly<Record<string, readonly string[]>> = {
  string: ['minLength', 'maxLength', 'format', 'default', 'enum', 'oneOf'],
  number: ['minimum', 'maximum', 'default'],
  integer: ['minimum', 'maximum', 'default'],
  boolean: ['default'],
  array: ['items', 'minItems', 'maxItems', 'default'],
}

describe.each(DIALECTS)('the dialect %s', (dialect) => {
  test('any form without secrets and files is written with the keywords of the protocol only', () => {
    fc.assert(
      fc.property(every, (fields) => {
        const { properties, ...rest } = jsonSchemaFromFields(fields, { dialect })
        expect(Object.keys(rest).filter((key) => key !== 'type' && key !== 'required')).toEqual([])
        for (const { title: _title, description: _description, type, ...rest } of Object.values(properties)) {
          const others = Object.keys(rest).filter((keyword) => !KEYWORDS[type]?.includes(keyword))
          expect(others).toEqual([])
        }
      }),
      { numRuns: 300 },
    )
  })

  test('a converted form is unchanged, except for what the protocol cannot express', () => {
    fc.assert(
      fc.property(forms, (fields) => {
        const schema = JSON.parse(JSON.stringify(jsonSchemaFromFields(fields, { dialect })))
        const portable = fields.map(({ pattern: _p, const: _c, group: _g, ...field }: Record<string, unknown>) => field)
        expect(fieldsFromJsonSchema(schema)).toEqual(portable)
        expect(fieldsFromJsonSchema(withNulls(schema), tolerant)).toEqual(portable)
      }),
      { numRuns: 300 },
    )
  })

  test('limits of dates are left out, and secrets are rejected', () => {
    const dated: InputField = { id: 'd', label: 'D', type: 'date', min: '2026-01-01' }
    expect(jsonSchemaFromFields([dated], { dialect }).properties).toEqual({
      d: { title: 'D', type: 'string', format: 'date' },
    })
    expect(() => jsonSchemaFromFields([{ id: 's', label: 'S', type: 'secret' }], { dialect })).toThrow('secret')
  })
})

describe.each(DIALECTS)('what the dialect %s has no keyword for', (dialect) => {
  const fields: InputField[] = [
    { id: 'how', label: 'How', type: 'radio', options: [{ value: 'x', label: 'Express' }], other: true },
    { id: 'to', label: 'Phone', type: 'phone', required: true, when: { field: 'how', is: ['x', 'own'] } },
    { id: 'fee', label: 'Fee', type: 'money', currency: 'EUR', minimum: 1, description: 'At most.' },
    {
      id: 'stay',
      label: 'Stay',
      type: 'daterange',
      min: '2026-01-01',
      defaultValue: { from: '2026-01-31', to: '2026-02-03' },
    },
  ]

  test('is in the description, and a conditional field is never required', () => {
    expect(jsonSchemaFromFields(fields, { dialect })).toEqual({
      type: 'object',
      properties: {
        how: { title: 'How', type: 'string', oneOf: [{ const: 'x', title: 'Express' }] },
        to: {
          title: 'Phone',
          type: 'string',
          description:
            'Only if "How" is Express or own; else leave it empty. With the country code, such as +49 30 1234567.',
        },
        fee: { title: 'Fee', type: 'number', minimum: 1, description: 'At most. In EUR.' },
        stay: {
          title: 'Stay',
          type: 'string',
          description: 'First and last day, such as 2026-01-31/2026-02-03.',
          default: '2026-01-31/2026-02-03',
        },
      },
    })
  })

  test('is read from the text that such a client sends', () => {
    const sent = { how: 'x', to: '0049 30 1234567', fee: 2, stay: '2026-01-31/2026-02-03' }
    const value = { ...sent, to: '+49301234567', stay: { from: '2026-01-31', to: '2026-02-03' } }
    expect(validateInput(fields, sent)).toEqual({ ok: true, value })
  })
})

describe('a tolerant conversion', () => {
  test('turns nested objects into fields, and their answers back into nested objects', () => {
    const groups = fc.dictionary(fc.constantFrom('home', 'work', 'ключ'), forms, { minKeys: 1 })
    fc.assert(
      fc.property(groups, (all) => {
        const names = Object.keys(all)
        const properties = Object.fromEntries(names.map((name) => [name, jsonSchemaFromFields(all[name]!)]))
        const schema = { type: 'object', properties, required: names }
        const fields = fieldsFromJsonSchema(schema, tolerant)
        const ids = names.flatMap((name) => all[name]!.map(({ id }) => `${name}.${id}`))
        expect(fields.map(({ id }) => id)).toEqual(ids)
        const answer = Object.fromEntries(ids.map((id) => [id, `value of ${id}`]))
        const expected = Object.fromEntries(
          names.map((name) => [name, Object.fromEntries(all[name]!.map(({ id }) => [id, `value of ${name}.${id}`]))]),
        )
        expect(JSON.stringify(flattenSchema(schema).nest(answer))).toBe(JSON.stringify(expected))
      }),
      { numRuns: 300 },
    )
  })

  test('follows references and makes nullable properties optional', () => {
    const schema = {
      type: 'object',
      title: null,
      $defs: { Mail: { type: 'string', format: 'email', title: 'E-mail' } },
      properties: {
        mail: { $ref: '#/$defs/Mail' },
        note: { anyOf: [{ type: 'string' }, { type: 'null' }], default: null, title: 'Note' },
        count: { type: ['integer', 'null'], description: null },
        home: { type: 'object', title: 'Home', properties: { city: { type: 'string' } } },
      },
      required: ['mail', 'note'],
    }
    expect(fieldsFromJsonSchema(schema, tolerant)).toEqual([
      { id: 'mail', label: 'E-mail', type: 'email', required: true },
      { id: 'note', label: 'Note', type: 'text' },
      { id: 'count', label: 'Count', type: 'integer' },
      { id: 'home.city', label: 'Home: City', type: 'text' },
    ])
  })

  const nested = (p: unknown, required?: string[]) => ({ type: 'object', properties: { p }, required })
  const endless = { $defs: { A: { $ref: '#/$defs/A' } }, ...nested({ $ref: '#/$defs/A' }) }
  const deep = (levels: number): object =>
    levels === 0 ? { type: 'string' } : { type: 'object', properties: { p: deep(levels - 1) } }
  test.each<[string, unknown, string]>([
    ['references that do not end', endless, '$ref'],
    ['references to other documents', nested({ $ref: 'https://example.com/schema' }), '$ref'],
    ['references to inherited names', { $defs: {}, ...nested({ $ref: '#/$defs/constructor' }) }, '$ref'],
    ['two types', nested({ type: ['string', 'number'] }), 'type'],
    ['a choice of types', nested({ anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'null' }] }), 'anyOf'],
    ['too many levels', deep(7), 'properties'],
    ['conditions in a group', nested({ type: 'object', properties: {}, if: {} }), 'if'],
    [
      'required members of an optional group',
      nested({ type: 'object', properties: { q: { type: 'string' } }, required: ['q'] }),
      'required',
    ],
    [
      'two members of one name',
      {
        type: 'object',
        properties: { 'p.q': { type: 'string' }, p: { type: 'object', properties: { q: { type: 'string' } } } },
      },
      'properties',
    ],
  ])('rejects %s by keyword and path', (_, schema, keyword) => {
    expect(thrown(() => fieldsFromJsonSchema(schema, tolerant))).toMatchObject({
      code: 'unsupported_schema',
      details: { keyword },
    })
  })

  test('changes no prototype', () => {
    const schema = JSON.parse(
      '{"type":"object","properties":{"__proto__":{"type":"object","properties":{"a":{"type":"string"}}}}}',
    )
    const value = flattenSchema(schema).nest({ '__proto__.a': 'x' })
    expect(Object.keys(value)).toEqual(['__proto__'])
    expect(({} as { a?: string }).a).toBeUndefined()
  })

  test('any JSON yields fields or a coded error, never a crash', () => {
    const words = ['type', 'properties', 'object', 'string', '$ref', '#/$defs/a', '$defs', 'a', 'anyOf', 'null']
    fc.assert(
      fc.property(nearSchemas(words, 5, nested), (schema) => {
        const error = thrown(() => fieldsFromJsonSchema(schema, tolerant))
        if (error) expect(isHoldpointError(error), String(error)).toBe(true)
      }),
      { numRuns: 2_000 },
    )
  })
})

/** The same schema as some programs write it, with `null` for absent keywords. */
function withNulls(schema: { properties: Record<string, object> }) {
  const properties = Object.entries(schema.properties).map(([id, property]) => [
    id,
    { description: null, default: null, minLength: null, ...property },
  ])
  return { title: null, ...schema, properties: Object.fromEntries(properties) }
}
