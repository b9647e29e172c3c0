import { checkFields } from '../fields/check-fields.ts'
import type { InputField } from '../fields/types.ts'
import { choicesOf, hasOther } from './choices.ts'
import { withConditions } from './conditions.ts'
import { flattenSchema } from './flatten-schema.ts'
import { humanize } from './humanize.ts'
import { isRange } from './is-range.ts'
import { unsupported } from './unsupported.ts'

type Schema = Readonly<Record<string, unknown>>

/** Keywords without effect on which values are valid. */
const ANNOTATIONS = ['title', 'description', '$comment', 'examples', 'deprecated']
const FORMATS = { email: 'email', uri: 'url', date: 'date', 'date-time': 'datetime', phone: 'phone' } as const

/**
 * Returns the fields of a flat JSON Schema, as MCP elicitation sends it. Rejects, by keyword and path, what a form
 * cannot show: nesting, references, `anyOf` of different types, `null`.
 *
 * With `tolerant`, keywords that are `null` count as absent, nullable properties become optional fields, local
 * references are followed, and members of nested objects become fields named `group.member`.
 *
 * @example
 * fieldsFromJsonSchema({
 *   type: 'object',
 *   properties: { email: { type: 'string', format: 'email' } },
 *   required: ['email'],
 * }) // [{ id: 'email', label: 'Email', type: 'email', required: true }]
 */
export function fieldsFromJsonSchema(schema: unknown, { tolerant = false }: { tolerant?: boolean } = {}): InputField[] {
  const root = asObject(
    tolerant ? flattenSchema(schema).schema : schema,
    '',
    'a form starts with an object of properties',
  )
  if (root.type !== 'object') throw unsupported('type', '', 'it must be "object", with one property for each field')
  only(root, ['$schema', 'type', 'properties', 'required', 'additionalProperties', 'allOf', ...ANNOTATIONS], '')
  if (typeof (root.additionalProperties ?? false) === 'object' && !isEmpty(root.additionalProperties)) {
    throw unsupported('additionalProperties', '', 'a form cannot have unnamed fields')
  }
  const properties = asObject(root.properties ?? {}, 'properties', 'it must be an object')
  const required = root.required ?? []
  if (!Array.isArray(required)) throw unsupported('required', '', 'it must be a list of property names')
  const missing = required.find((name) => typeof name !== 'string' || !Object.hasOwn(properties, name))
  if (missing !== undefined) throw unsupported('required', '', `it names "${missing}", which is not a property`)
  const unconditional = Object.entries(properties).map(([id, property]) =>
    fieldFromProperty(id, asObject(property, `properties.${id}`, 'it must be an object'), required.includes(id)),
  )
  const fields = withConditions(unconditional, root.allOf)
  checkFields(fields)
  return fields
}

/** Converts one property; the zod conversion uses it too. */
export function fieldFromProperty(id: string, property: Schema, required: boolean): InputField {
  const path = `properties.${id}`
  const base = {
    id,
    label: text(property, 'title', path) ?? humanize(id),
    ...defined({ description: text(property, 'description', path) }),
    ...(required ? { required } : {}),
    ...defined({ group: text(property, 'x-group', path) }),
  }
  // One constant text is a choice with one option. On a checkbox it means that the box must be ticked.
  const choices = property.type === 'boolean' ? null : choicesOf(property, path)
  if (choices) {
    only(property, ['type', 'default', 'enum', 'enumNames', 'oneOf', 'anyOf', 'const', ...ANNOTATIONS], path)
    return { ...base, type: 'select', options: choices, ...otherOf(property), ...defaultOf(property, 'string', path) }
  }
  switch (property.type) {
    case 'string':
      return stringField(base, property, path)
    case 'number':
    case 'integer': {
      only(property, ['type', 'minimum', 'maximum', 'default', ...ANNOTATIONS], path)
      const limits = defined({
        minimum: number(property, 'minimum', path),
        maximum: number(property, 'maximum', path),
      })
      const value = defaultOf(property, 'number', path)
      const currency = text(property, 'x-currency', path)
      if (currency === undefined) return { ...base, type: property.type, ...limits, ...value }
      if (!/^[A-Z]{3}$/.test(currency)) throw unsupported('x-currency', path, 'it must be a code such as "EUR"')
      return { ...base, type: 'money', currency, ...limits, ...value }
    }
    case 'boolean':
      only(property, ['type', 'const', 'default', ...ANNOTATIONS], path)
      if (property.const !== undefined && property.const !== true)
        throw unsupported('const', path, 'a checkbox can be restricted to `true` only')
      return {
        ...base,
        type: 'checkbox',
        ...(property.const ? { const: true } : {}),
        ...defaultOf(property, 'boolean', path),
      }
    case 'array':
      return arrayField(base, property, path)
    case 'object':
      return rangeField(base, property, path)
    default:
      throw unsupported(
        'type',
        path,
        `a field is a string, number, integer, boolean, an array of choices, or an object with the dates \`from\` and \`to\``,
      )
  }
}

type Base = { id: string; label: string; description?: string; required?: boolean }

function stringField(base: Base, property: Schema, path: string): InputField {
  only(property, ['type', 'minLength', 'maxLength', 'pattern', 'format', 'default', ...ANNOTATIONS], path)
  const given = text(property, 'format', path)
  if (given !== undefined && !Object.hasOwn(FORMATS, given)) {
    throw unsupported('format', path, `"${given}" is none of ${Object.keys(FORMATS).join(', ')}`)
  }
  const type = given ? FORMATS[given as keyof typeof FORMATS] : 'text'
  const limits = defined({
    minLength: number(property, 'minLength', path),
    maxLength: number(property, 'maxLength', path),
    pattern: text(property, 'pattern', path),
  })
  const value = defaultOf(property, 'string', path)
  if (type !== 'date' && type !== 'datetime' && type !== 'phone') return { ...base, type, ...limits, ...value }
  const [keyword] = Object.keys(limits)
  if (keyword) throw unsupported(keyword, path, `a ${given} has one form only; leave it out`)
  return { ...base, type, ...value }
}

/** Two days: the only object that one control can hold. */
function rangeField(base: Base, property: Schema, path: string): InputField {
  if (!isRange(property)) {
    throw unsupported('type', path, 'an object is no field, except with the two required dates `from` and `to`')
  }
  const value = property.default
  if (value === undefined) return { ...base, type: 'daterange' }
  const { from: start, to: end } = asObject(value, path, 'its default must be an object')
  if (typeof start !== 'string' || typeof end !== 'string') throw unsupported('default', path, 'it must have two dates')
  return { ...base, type: 'daterange', defaultValue: { from: start, to: end } }
}

const otherOf = (schema: Schema) => (hasOther(schema) ? { other: true } : {})

function arrayField(base: Base, property: Schema, path: string): InputField {
  only(property, ['type', 'items', 'minItems', 'maxItems', 'uniqueItems', 'default', ...ANNOTATIONS], path)
  const items = asObject(property.items, path, 'an array needs `items` with the choices')
  const options = choicesOf(items, `${path}.items`)
  if (!options) throw unsupported('items', path, 'only a list of choices (`enum`, or `anyOf` of constants) fits a form')
  only(items, ['type', 'enum', 'enumNames', 'oneOf', 'anyOf', 'const', ...ANNOTATIONS], `${path}.items`)
  const limits = defined({
    minItems: number(property, 'minItems', path),
    maxItems: number(property, 'maxItems', path),
  })
  const value = property.default
  if (value !== undefined && !(Array.isArray(value) && value.every((item) => typeof item === 'string'))) {
    throw unsupported('default', path, 'it must be a list of strings')
  }
  return {
    ...base,
    type: 'multiselect',
    options,
    ...otherOf(items),
    ...limits,
    ...(value ? { defaultValue: value as string[] } : {}),
  }
}

function defaultOf<T extends 'string' | 'number' | 'boolean'>(property: Schema, type: T, path: string) {
  type Value = T extends 'string' ? string : T extends 'number' ? number : boolean
  const value = property.default
  if (value === undefined) return {}
  if (typeof value !== type) throw unsupported('default', path, `it must be a ${type}`)
  return { defaultValue: value as Value }
}

function text(schema: Schema, keyword: string, path: string): string | undefined {
  const value = schema[keyword]
  if (value !== undefined && typeof value !== 'string') throw unsupported(keyword, path, 'it must be text')
  return value
}

function number(schema: Schema, keyword: string, path: string): number | undefined {
  const value = schema[keyword]
  if (value !== undefined && typeof value !== 'number') throw unsupported(keyword, path, 'it must be a number')
  return value
}

/** If an unknown keyword were ignored, values that its author wants to forbid would pass. */
function only(schema: Schema, known: readonly string[], path: string): void {
  const keyword = Object.keys(schema).find((key) => !known.includes(key) && !key.startsWith('x-'))
  if (keyword) throw unsupported(keyword, path, 'no control of a form can hold it; use a flat property without it')
}

function asObject(value: unknown, path: string, why: string): Schema {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw unsupported('type', path, why)
  return value as Schema
}

function isEmpty(value: unknown): boolean {
  return Object.keys(value as object).length === 0
}

function defined<T extends Record<string, unknown>>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never
}
