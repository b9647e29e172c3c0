import { PatternChecks } from './pattern.ts'
import { readValue } from './read-value.ts'
import type { FieldSpec, FormSpec } from './types.ts'

/** The fields of a form in either of its types. */
export function fieldsOf(schema: FormSpec): readonly FieldSpec[] {
  return 'fields' in schema ? schema.fields : schema
}

/** Whether a field is asked, by the values of the fields before it. A field that is not asked has no value itself. */
export function isAsked({ when }: FieldSpec, values: ReadonlyMap<string, unknown>): boolean {
  if (!when) return true
  const value = values.get(when.field)
  if (value === undefined) return false
  if (when.is === undefined) return value !== false
  const wanted: readonly unknown[] = [when.is].flat()
  return [value].flat().some((one) => wanted.includes(one))
}

/**
 * Returns the fields that a person is asked with what is entered so far: those whose `when` holds. Every surface shows
 * these and sends these; `validateInput` rejects values of the others by the same rule.
 */
export function askedFields(
  schema: FormSpec,
  input: Readonly<Record<string, unknown>>,
  { localTime = false }: { localTime?: boolean } = {},
): readonly FieldSpec[] {
  const fields = fieldsOf(schema)
  const conditions = new Set(fields.map(({ when }) => when?.field))
  const values = new Map<string, unknown>()
  const patterns = new PatternChecks()
  return fields.filter((field) => {
    if (!isAsked(field, values)) return false
    if (conditions.has(field.id)) {
      let valid = true
      const fail = () => {
        valid = false
      }
      const value = readValue(field, givenOrDefault(field, input), fail, localTime, patterns)
      if (valid && value !== undefined) values.set(field.id, value)
    }
    return true
  })
}

/** Returns the submitted value of a field, or its default if there is none. */
export function givenOrDefault(field: FieldSpec, input: object): unknown {
  const given = Object.hasOwn(input, field.id) ? (input as Record<string, unknown>)[field.id] : undefined
  return given === undefined && 'defaultValue' in field ? field.defaultValue : given
}

/** Consecutive fields of one group, or one field without a group. */
export interface FieldGroup {
  name?: string
  fields: readonly FieldSpec[]
}

/** Combines consecutive fields of the same group. In a questionnaire each of these groups is one step. */
export function groupsOf(fields: readonly FieldSpec[]): readonly FieldGroup[] {
  const groups: { name?: string; fields: FieldSpec[] }[] = []
  for (const field of fields) {
    const last = groups.at(-1)
    if (field.group !== undefined && last?.name === field.group) last.fields.push(field)
    else groups.push({ ...(field.group !== undefined && { name: field.group }), fields: [field] })
  }
  return groups
}
