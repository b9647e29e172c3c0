import type { FieldSpec, FormSpec } from '../fields/types.ts'
import { fieldsOf } from '../fields/validate-input.ts'
import type { JsonSchemaForm, JsonSchemaProperty } from './types.ts'
import { unsupported } from './unsupported.ts'

const FORMATS = { email: 'email', url: 'uri', date: 'date', datetime: 'date-time' } as const

/**
 * Returns a form as the flat JSON Schema of MCP elicitation. Presentation (`placeholder`, `autocomplete`, a text area,
 * radio buttons) is lost. Anything that would change which answers are valid is rejected, and so are secrets and files,
 * which that protocol forbids or cannot carry.
 *
 * @example await elicit({ message: 'Where to?', requestedSchema: jsonSchemaFromFields(fields) })
 */
export function jsonSchemaFromFields(schema: FormSpec): JsonSchemaForm {
  const fields = fieldsOf(schema)
  const required = fields.filter((field) => field.required).map(({ id }) => id)
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map((field) => [field.id, property(field)])),
    ...(required.length ? { required } : {}),
  }
}

function property(field: FieldSpec): JsonSchemaProperty {
  const about = { title: field.label, ...(field.description === undefined ? {} : { description: field.description }) }
  switch (field.type) {
    case 'textarea':
      return { ...about, type: 'string', ...pick(field, 'minLength', 'maxLength'), ...defaultOf(field) }
    case 'text':
      return { ...about, type: 'string', ...pick(field, 'minLength', 'maxLength', 'pattern'), ...defaultOf(field) }
    case 'email':
    case 'url': {
      const limits = pick(field, 'minLength', 'maxLength', 'pattern')
      return { ...about, type: 'string', format: FORMATS[field.type], ...limits, ...defaultOf(field) }
    }
    case 'date':
    case 'datetime': {
      const limit = (['min', 'max'] as const).find((key) => field[key] !== undefined)
      if (limit) throw refused(field, limit, 'JSON Schema has no limits for dates; check them after the answer')
      return { ...about, type: 'string', format: FORMATS[field.type], ...defaultOf(field) }
    }
    case 'number':
    case 'integer':
      return { ...about, type: field.type, ...pick(field, 'minimum', 'maximum'), ...defaultOf(field) }
    case 'checkbox':
      return { ...about, type: 'boolean', ...pick(field, 'const'), ...defaultOf(field) }
    case 'select':
    case 'radio':
      return { ...about, type: 'string', ...choices(field.options, 'oneOf'), ...defaultOf(field) }
    case 'multiselect': {
      const titled = choices(field.options, 'anyOf')
      const items = 'enum' in titled ? { type: 'string' as const, ...titled } : titled
      const { defaultValue } = field
      const value = defaultValue ? { default: [...defaultValue] } : {}
      return { ...about, type: 'array', items, ...pick(field, 'minItems', 'maxItems'), ...value }
    }
    case 'secret':
      throw refused(field, field.type, 'secrets must not be asked in a form of another program; use a link')
    case 'file':
      throw refused(field, field.type, 'a flat JSON Schema carries no uploads; ask for a link instead')
    default:
      throw refused(field, (field as FieldSpec).type, 'unknown kind of field')
  }
}

type Titled<K extends string> = { [Key in K]: { const: string; title: string }[] }

function choices<K extends 'oneOf' | 'anyOf'>(
  options: readonly { value: string; label: string }[],
  keyword: K,
): { enum: string[] } | Titled<K> {
  return options.every(({ value, label }) => value === label)
    ? { enum: options.map(({ value }) => value) }
    : ({ [keyword]: options.map(({ value, label }) => ({ const: value, title: label })) } as Titled<K>)
}

function defaultOf<T>(field: { defaultValue?: T }): { default?: T & {} } {
  return field.defaultValue === undefined || field.defaultValue === null ? {} : { default: field.defaultValue }
}

function pick<T extends object, K extends keyof T>(field: T, ...keys: K[]): { [P in K]?: Exclude<T[P], undefined> } {
  return Object.fromEntries(keys.filter((key) => field[key] !== undefined).map((key) => [key, field[key]])) as never
}

function refused(field: FieldSpec, keyword: string, why: string) {
  return unsupported(keyword, `field "${field.id}"`, why)
}
