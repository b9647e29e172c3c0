import { HoldpointError } from '../../error.ts'
import { isAutocomplete } from './autocomplete.ts'
import { fieldsOf } from './conditions.ts'
import type { FieldSpec, FormSpec } from './types.ts'
import { validateInput } from './validate-input.ts'

const LIMITS = [
  ['minLength', 'maxLength'],
  ['minimum', 'maximum'],
  ['min', 'max'],
  ['minItems', 'maxItems'],
] as const

/**
 * Rejects a form that cannot be filled in: two fields with one id, a duplicate choice, limits that exclude each other,
 * an invalid default. Throws `invalid_fields` with the field's id in `details`.
 *
 * @example
 * checkFields([{ id: 'n', type: 'number', label: 'N', minimum: 3, maximum: 2 }]) // throws: the limits exclude each other
 */
export function checkFields(schema: FormSpec): void {
  const seen = new Map<string, FieldSpec>()
  for (const field of fieldsOf(schema)) {
    if (seen.has(field.id)) throw invalid(field, 'another field has this id; give each field its own')
    const never = field.when && neverAsked(field.when, seen.get(field.when.field))
    if (never) throw invalid(field, never)
    seen.set(field.id, field)
    // Much code on the way of an answer (zod, for example) drops this name.
    if (field.id === '__proto__') throw invalid(field, 'objects reserve this name; use another id')
    if ('autocomplete' in field && field.autocomplete !== undefined && !isAutocomplete(field.autocomplete)) {
      const value = JSON.stringify(field.autocomplete)
      throw invalid(field, `${value} is not a value of the HTML attribute autocomplete; use one such as "email"`)
    }
    const why = contradiction(field)
    if (why) throw invalid(field, why)
  }
}

function contradiction(field: FieldSpec): string | undefined {
  if ('options' in field && Array.isArray(field.options)) {
    const values = field.options.map(({ value }) => value)
    if (new Set(values).size < values.length) return 'it offers a choice twice; give each option its own value'
    if (values.includes('')) return 'one of its options has an empty value, which means "nothing chosen"'
  }
  for (const [low, high] of LIMITS) {
    const [least, most] = [limit(field, low), limit(field, high)]
    if (least !== undefined && most !== undefined && least > most) return `no value lies between ${low} and ${high}`
  }
  if (!('defaultValue' in field) || field.defaultValue === undefined) return undefined
  const { when: _when, ...always } = field
  const checked = validateInput([always as FieldSpec], { [field.id]: field.defaultValue })
  if (checked.ok) return undefined
  const [first] = Object.values(checked.problems).flat()
  return `its default is not a valid answer. ${first?.message ?? ''}`
}

/** Returns why a condition cannot be met: it depends on a later field, or on a value that the field never has. */
function neverAsked({ field: id, is }: NonNullable<FieldSpec['when']>, before: FieldSpec | undefined) {
  if (!before) return `it depends on "${id}", and no field before it has this id`
  if (is === undefined) return undefined
  if (before.type === 'secret' || before.type === 'file') {
    return `it depends on the value of "${id}", a ${before.type}; leave out \`is\` to ask whether there is one`
  }
  const open = 'other' in before && before.other
  const offered = 'options' in before && !open ? (before.options as readonly { value: unknown }[]) : undefined
  const missing = [is]
    .flat()
    .find((wanted) =>
      offered ? !offered.some(({ value }) => value === wanted) : typeof wanted !== (TYPES[before.type] ?? 'string'),
    )
  return missing === undefined ? undefined : `it waits for ${JSON.stringify(missing)}, which "${id}" never is`
}

const TYPES: Readonly<Record<string, string>> = {
  number: 'number',
  integer: 'number',
  money: 'number',
  checkbox: 'boolean',
}

function limit(field: FieldSpec, name: string): number | undefined {
  const value = (field as unknown as Record<string, unknown>)[name]
  if (typeof value === 'number') return value
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN
  return Number.isNaN(time) ? undefined : time
}

function invalid({ id }: FieldSpec, why: string): HoldpointError {
  return new HoldpointError('invalid_fields', `Field "${id}" cannot be shown: ${why}.`.replace(/\.\.$/, '.'), {
    details: { field: id },
  })
}
