import { fieldsOf } from '../fields/conditions.ts'
import { OTHER_LENGTH } from '../fields/read-special.ts'
import type { DateRange, FieldSpec, FormSpec } from '../fields/types.ts'
import { conditionsOf } from './conditions.ts'
import type { JsonSchemaForm, JsonSchemaProperty } from './types.ts'
import { unsupported } from './unsupported.ts'

const FORMATS = { email: 'email', url: 'uri', date: 'date', datetime: 'date-time', phone: 'phone' } as const

/**
 * Returns a form as a flat JSON Schema. Presentation (`placeholder`, `autocomplete`, a text area, radio buttons) is lost.
 * Secrets and files are rejected, because such a schema cannot carry them.
 *
 * Conditions are `allOf` of `if` and `else`, a group is `x-group`, a currency `x-currency`, a phone number `format:
 * 'phone'`, and a date range an object with `from` and `to`; `fieldsFromJsonSchema` reads them back.
 *
 * Without a `dialect`, anything that would change which answers are valid is rejected too. The dialects of MCP
 * elicitation and of ACP have no `pattern`, no constant for a checkbox, no limits of dates and no conditions: these are
 * left out, so check the answer with `validateInput`. The description names what a field depends on, a date range is
 * text such as `2026-01-31/2026-02-03`, and a choice has its options alone.
 *
 * @example await elicit({ message: 'Where to?', requestedSchema: jsonSchemaFromFields(fields, { dialect: 'mcp-2026-07-28' }) })
 */
export function jsonSchemaFromFields(
  schema: FormSpec,
  { dialect = 'json-schema' }: { dialect?: SchemaDialect } = {},
): JsonSchemaForm {
  const given = fieldsOf(schema)
  const own = dialect === 'json-schema'
  const required = given.filter((field) => field.required && !field.when).map(({ id }) => id)
  const allOf = own ? conditionsOf(given) : []
  return {
    type: 'object',
    properties: Object.fromEntries(given.map((field) => [field.id, own ? property(field) : plain(field, given)])),
    ...(required.length ? { required } : {}),
    ...(allOf.length ? { allOf } : {}),
  }
}

/** The protocol that a form is written for. Its revisions are named, so that a later one can differ. */
type SchemaDialect = 'json-schema' | 'mcp-2025-11-25' | 'mcp-2026-07-28' | 'acp'

/** Keywords that the clients of MCP and ACP drop or refuse. */
const EXTRAS: ReadonlySet<string> = new Set(['pattern', 'const', 'min', 'max', 'other', 'group', 'when'])

/** A field for a program that knows fewer kinds. Its description has the rest, so that a person reads it. */
function plain(field: FieldSpec, fields: readonly FieldSpec[]): JsonSchemaProperty {
  const notes = [field.description, conditionNote(field, fields), kindNote(field)].filter(Boolean)
  const known = Object.fromEntries(Object.entries(field).filter(([key]) => !EXTRAS.has(key)))
  const about = { ...known, ...(notes.length > 0 && { description: notes.join(' ') }) }
  const { defaultValue } = field as { defaultValue?: unknown }
  if (field.type === 'phone') return property({ ...about, type: 'text' } as FieldSpec)
  if (field.type === 'money') return property({ ...about, type: 'number' } as FieldSpec)
  if (field.type !== 'daterange') return property(about as unknown as FieldSpec)
  const { from, to } = (defaultValue ?? {}) as Partial<DateRange>
  return property({ ...about, type: 'text', defaultValue: from && to ? `${from}/${to}` : undefined } as FieldSpec)
}

function conditionNote({ when }: FieldSpec, fields: readonly FieldSpec[]): string {
  if (!when) return ''
  const before = fields.find(({ id }) => id === when.field)
  const options = before && 'options' in before ? (before.options as readonly { value: unknown; label: string }[]) : []
  const named = (value: unknown) => options.find((option) => option.value === value)?.label ?? String(value)
  const label = JSON.stringify(before?.label ?? when.field)
  if (when.is === undefined) return `Only if ${label} has an answer; else leave it empty.`
  return `Only if ${label} is ${[when.is].flat().map(named).join(' or ')}; else leave it empty.`
}

function kindNote(field: FieldSpec): string {
  if (field.type === 'money') return `In ${field.currency}.`
  if (field.type === 'phone') return 'With the country code, such as +49 30 1234567.'
  return field.type === 'daterange' ? 'First and last day, such as 2026-01-31/2026-02-03.' : ''
}

function property(field: FieldSpec): JsonSchemaProperty {
  const about = {
    title: field.label,
    ...(field.description === undefined ? {} : { description: field.description }),
    ...(field.group === undefined ? {} : { 'x-group': field.group }),
  }
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
    case 'phone':
      return { ...about, type: 'string', format: FORMATS[field.type], ...defaultOf(field) }
    case 'daterange':
      refuseLimits(field)
      return {
        ...about,
        type: 'object',
        properties: { from: { type: 'string', format: 'date' }, to: { type: 'string', format: 'date' } },
        required: ['from', 'to'],
        additionalProperties: false,
        ...defaultOf(field),
      }
    case 'date':
    case 'datetime':
      refuseLimits(field)
      return { ...about, type: 'string', format: FORMATS[field.type], ...defaultOf(field) }
    case 'money': {
      const limits = pick(field, 'minimum', 'maximum')
      return { ...about, type: 'number', 'x-currency': field.currency, ...limits, ...defaultOf(field) }
    }
    case 'number':
    case 'integer':
      return { ...about, type: field.type, ...pick(field, 'minimum', 'maximum'), ...defaultOf(field) }
    case 'checkbox':
      return { ...about, type: 'boolean', ...pick(field, 'const'), ...defaultOf(field) }
    case 'select':
    case 'radio':
      if (field.other) return { ...about, type: 'string', anyOf: openChoices(field.options), ...defaultOf(field) }
      return { ...about, type: 'string', ...choices(field.options, 'oneOf'), ...defaultOf(field) }
    case 'multiselect': {
      const titled = choices(field.options, 'anyOf')
      const closed = 'enum' in titled ? { type: 'string' as const, ...titled } : titled
      const items = field.other ? { type: 'string' as const, anyOf: openChoices(field.options) } : closed
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

function refuseLimits(field: Extract<FieldSpec, { type: 'date' | 'datetime' | 'daterange' }>): void {
  const limit = (['min', 'max'] as const).find((key) => field[key] !== undefined)
  if (limit) throw refused(field, limit, 'JSON Schema has no limits for dates; check them after the answer')
}

const openChoices = (options: readonly { value: string; label: string }[]) => [
  ...options.map(({ value, label }) => ({ const: value, title: label })),
  { type: 'string' as const, maxLength: OTHER_LENGTH },
]

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
