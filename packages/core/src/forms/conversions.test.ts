import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isHoldpointError } from '../error.ts'
import { inputField } from '../protocol/fields.ts'
import { checkFields } from './fields/check-fields.ts'
import type { InputField } from './fields/types.ts'
import { validateInput } from './fields/validate-input.ts'
import { fieldsFromJsonSchema } from './json-schema/from-json-schema.ts'
import { jsonSchemaFromFields } from './json-schema/to-json-schema.ts'
import {
  anyField,
  anyRawValue,
  formOf,
  nearSchemas,
  portableField,
  thrown,
  withConditions,
} from './testing/arbitrary-fields.ts'
import { fieldsFromZod } from './zod/from-zod.ts'
import { zodFromFields } from './zod/to-zod.ts'

const form = (field: fc.Arbitrary<InputField>) => withConditions(formOf(field, 6))

describe('round trips', () => {
  test('the generated fields are valid protocol fields and pass checkFields', () => {
    fc.assert(
      fc.property(form(anyField), (fields) => {
        for (const field of fields) expect(inputField.safeParse(field).error).toBeUndefined()
        checkFields(fields)
      }),
    )
  })

  test('fields that are converted to JSON Schema and back are equal', () => {
    fc.assert(
      fc.property(form(portableField), (fields) => {
        const schema = jsonSchemaFromFields(fields)
        expect(fieldsFromJsonSchema(JSON.parse(JSON.stringify(schema)))).toEqual(fields)
        expect(jsonSchemaFromFields(fieldsFromJsonSchema(schema))).toEqual(schema)
      }),
      { numRuns: 500 },
    )
  })

  test('fields that are converted to zod and back keep every kind with all options', () => {
    fc.assert(
      fc.property(form(anyField), (fields) => {
        expect(fieldsFromZod(zodFromFields(fields))).toEqual(fields)
      }),
      { numRuns: 500 },
    )
  })

  test('zod accepts the output of the validator, and both reject the same values', () => {
    fc.assert(
      fc.property(anyField, anyRawValue, (field, raw) => {
        const checked = validateInput([field], { [field.id]: raw })
        const schema = zodFromFields([field])
        if (checked.ok) expect(schema.safeParse(checked.value).error).toBeUndefined()
        const again = schema.safeParse({ [field.id]: raw })
        if (again.success) expect(validateInput([field], again.data).ok).toBe(true)
      }),
      { numRuns: 2_000 },
    )
  })
})

describe('fieldsFromJsonSchema', () => {
  test('every schema of MCP elicitation is converted', () => {
    const fields = fieldsFromJsonSchema({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: {
        userName: { type: 'string', minLength: 2, maxLength: 9, pattern: '^\\w+$', description: 'As on the card' },
        mail: { type: 'string', format: 'email', title: 'E-mail' },
        home: { type: 'string', format: 'uri' },
        born: { type: 'string', format: 'date' },
        at: { type: 'string', format: 'date-time', default: '2026-01-31T09:30:00Z' },
        ratio: { type: 'number', minimum: 0, maximum: 1, default: 0.5 },
        count: { type: 'integer', minimum: 1 },
        loud: { type: 'boolean', default: false },
        plain: { type: 'string', enum: ['a', 'b'], default: 'b' },
        titled: { type: 'string', oneOf: [{ const: 'a', title: 'A' }] },
        legacy: { type: 'string', enum: ['a', 'b'], enumNames: ['First', 'Second'] },
        many: { type: 'array', items: { type: 'string', enum: ['a', 'b'] }, minItems: 1, maxItems: 2, default: ['a'] },
        manyTitled: { type: 'array', items: { anyOf: [{ const: 'a', title: 'A' }] } },
      },
      required: ['mail', 'loud'],
    })
    expect(fields).toMatchInlineSnapshot(`
      [
        {
          "description": "As on the card",
          "id": "userName",
          "label": "User name",
          "maxLength": 9,
          "minLength": 2,
          "pattern": "^\\w+$",
          "type": "text",
        },
        {
          "id": "mail",
          "label": "E-mail",
          "required": true,
          "type": "email",
        },
        {
          "id": "home",
          "label": "Home",
          "type": "url",
        },
        {
          "id": "born",
          "label": "Born",
          "type": "date",
        },
        {
          "defaultValue": "2026-01-31T09:30:00Z",
          "id": "at",
          "label": "At",
          "type": "datetime",
        },
        {
          "defaultValue": 0.5,
          "id": "ratio",
          "label": "Ratio",
          "maximum": 1,
          "minimum": 0,
          "type": "number",
        },
        {
          "id": "count",
          "label": "Count",
          "minimum": 1,
          "type": "integer",
        },
        {
          "defaultValue": false,
          "id": "loud",
          "label": "Loud",
          "required": true,
          "type": "checkbox",
        },
        {
          "defaultValue": "b",
          "id": "plain",
          "label": "Plain",
          "options": [
            {
              "label": "a",
              "value": "a",
            },
            {
              "label": "b",
              "value": "b",
            },
          ],
          "type": "select",
        },
        {
          "id": "titled",
          "label": "Titled",
          "options": [
            {
              "label": "A",
              "value": "a",
            },
          ],
          "type": "select",
        },
        {
          "id": "legacy",
          "label": "Legacy",
          "options": [
            {
              "label": "First",
              "value": "a",
            },
            {
              "label": "Second",
              "value": "b",
            },
          ],
          "type": "select",
        },
        {
          "defaultValue": [
            "a",
          ],
          "id": "many",
          "label": "Many",
          "maxItems": 2,
          "minItems": 1,
          "options": [
            {
              "label": "a",
              "value": "a",
            },
            {
              "label": "b",
              "value": "b",
            },
          ],
          "type": "multiselect",
        },
        {
          "id": "manyTitled",
          "label": "Many titled",
          "options": [
            {
              "label": "A",
              "value": "a",
            },
          ],
          "type": "multiselect",
        },
      ]
    `)
  })

  test.each<[string, unknown, string, string]>([
    ['no object', [], 'type', ''],
    ['another root', { type: 'array' }, 'type', ''],
    ['references', { type: 'object', $defs: {} }, '$defs', ''],
    ['nesting', property({ type: 'object', properties: {} }), 'type', 'properties.p'],
    ['free lists', property({ type: 'array', items: { type: 'string' } }), 'items', 'properties.p'],
    ['null', property({ type: ['string', 'null'] }), 'type', 'properties.p'],
    ['an unknown keyword', property({ type: 'number', multipleOf: 2 }), 'multipleOf', 'properties.p'],
    ['an open limit', property({ type: 'number', exclusiveMinimum: 2 }), 'exclusiveMinimum', 'properties.p'],
    ['another format', property({ type: 'string', format: 'uuid' }), 'format', 'properties.p'],
    ['a pattern for a date', property({ type: 'string', format: 'date', pattern: '^2026' }), 'pattern', 'properties.p'],
    ['choices of numbers', property({ enum: [1, 2] }), 'enum', 'properties.p'],
    ['choices of schemas', property({ oneOf: [{ type: 'string' }] }), 'oneOf', 'properties.p'],
    ['a length beside choices', property({ type: 'string', enum: ['a'], minLength: 1 }), 'minLength', 'properties.p'],
    ['a default of another type', property({ type: 'number', default: '1' }), 'default', 'properties.p'],
    ['a limit of another type', property({ type: 'number', minimum: '1' }), 'minimum', 'properties.p'],
    ['a required property that is missing', { type: 'object', properties: {}, required: ['x'] }, 'required', ''],
    [
      'extra fields',
      { type: 'object', properties: {}, additionalProperties: { type: 'string' } },
      'additionalProperties',
      '',
    ],
    ['a reference', property({ $ref: '#/x' }), 'type', 'properties.p'],
  ])('a schema with %s is rejected by keyword and path', (_, schema, keyword, path) => {
    const error = thrown(() => fieldsFromJsonSchema(schema))
    expect(isHoldpointError(error, 'unsupported_schema') && error.details).toEqual({ keyword, path })
    expect((error as Error).message).toContain(`\`${keyword}\``)
  })

  test('any JSON yields fields or a coded error, never a crash', () => {
    const words = ['type', 'properties', 'enum', 'items', 'object', 'string', 'array', 'default', '__proto__']
    fc.assert(
      fc.property(nearSchemas(words, 4, property), (schema) => {
        const error = thrown(() => fieldsFromJsonSchema(schema))
        if (error) expect(isHoldpointError(error), String(error)).toBe(true)
      }),
      { numRuns: 2_000 },
    )
  })
})

test('jsonSchemaFromFields rejects fields that MCP elicitation cannot express', () => {
  const keyword = (field: object) => {
    const error = thrown(() => jsonSchemaFromFields([{ id: 'f', label: 'F', ...field } as InputField]))
    return isHoldpointError(error, 'unsupported_schema') && error.details.keyword
  }
  expect(keyword({ type: 'secret' })).toBe('secret')
  expect(keyword({ type: 'file' })).toBe('file')
  expect(keyword({ type: 'date', min: '2026-01-01' })).toBe('min')
})

test.each<[string, InputField[], string]>([
  [
    'two fields of one id',
    [
      { id: 'f', type: 'text', label: 'A' },
      { id: 'f', type: 'text', label: 'B' },
    ],
    'another field',
  ],
  ['a choice twice', [select(['a', 'a'])], 'choice twice'],
  ['an empty choice', [select([''])], 'empty value'],
  [
    'limits that exclude each other',
    [{ id: 'f', type: 'number', label: 'N', minimum: 3, maximum: 2 }],
    'no value lies',
  ],
  ['dates that do', [{ id: 'f', type: 'date', label: 'D', min: '2026-02-01', max: '2026-01-01' }], 'no value lies'],
  ['an id that objects reserve', [{ id: '__proto__', type: 'text', label: 'P' }], 'reserve this name'],
  ['a default that is no choice', [{ ...select(['a']), defaultValue: 'b' }], 'default'],
])('checkFields rejects %s', (_, fields, why) => {
  const error = thrown(() => checkFields(fields))
  expect(isHoldpointError(error, 'invalid_fields') && error.message).toContain(why)
})

function property(p: unknown) {
  return { type: 'object', properties: { p } }
}
function select(values: string[]): Extract<InputField, { type: 'select' }> {
  return { id: 'f', type: 'select', label: 'S', options: values.map((value) => ({ value, label: 'x' })) }
}
