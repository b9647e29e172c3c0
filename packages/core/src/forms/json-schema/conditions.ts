import type { FieldCondition } from '../../protocol/fields.ts'
import type { FieldSpec, InputField } from '../fields/types.ts'
import type { JsonSchemaCondition } from './types.ts'
import { unsupported } from './unsupported.ts'

type Schema = Readonly<Record<string, unknown>>

/** The conditions of fields as JSON Schema writes them: if the other field has the value, then this one may be there. */
export function conditionsOf(fields: readonly FieldSpec[]): JsonSchemaCondition[] {
  return fields.flatMap(({ id, required, when }) => {
    if (!when) return []
    const before = fields.find((field) => field.id === when.field)
    return {
      if: { properties: { [when.field]: test(when, before?.type) }, required: [when.field] },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
      ...(required && { then: { required: [id] } }),
      else: { properties: { [id]: false } },
    }
  })
}

function test(
  { is }: FieldSpec['when'] & {},
  type: string | undefined,
): JsonSchemaCondition['if']['properties'][string] {
  if (is === undefined) return type === 'checkbox' ? { const: true } : {}
  const value = Array.isArray(is) ? { enum: [...(is as string[])] } : { const: is as string }
  return type === 'multiselect' ? { contains: value } : value
}

/** Adds the conditions of a schema to its fields; rejects rules of any other form. */
export function withConditions(fields: readonly InputField[], allOf: unknown): InputField[] {
  if (allOf === undefined) return [...fields]
  if (!Array.isArray(allOf)) throw unsupported('allOf', '', 'it must be a list of conditions')
  const found = new Map<string, { when: FieldCondition; required: boolean }>()
  allOf.forEach((rule, index) => {
    const read = readRule(rule, fields)
    if (!read || found.has(read.id)) {
      const why =
        'only a rule of this form can be one: if a property has a value, then another is required, else it is false'
      throw unsupported('allOf', `allOf[${index}]`, why)
    }
    found.set(read.id, read)
  })
  return fields.map((field) => {
    const { when, required } = found.get(field.id) ?? {}
    return when ? ({ ...field, ...(required && { required }), when } as InputField) : field
  })
}

function readRule(rule: unknown, fields: readonly InputField[]) {
  const { if: condition, then = {}, else: otherwise, ...more } = object(rule)
  const { properties, required, ...rest } = object(condition)
  const [[field, value] = [], ...others] = Object.entries(object(properties))
  const [[id, forbidden] = [], ...hidden] = Object.entries(object(object(otherwise).properties))
  const needed = object(then).required
  const isSame = (list: unknown, name: unknown) => Array.isArray(list) && list.length === 1 && list[0] === name
  if (field === undefined || id === undefined || forbidden !== false) return undefined
  if (!isSame(required, field) || (needed !== undefined && !isSame(needed, id))) return undefined
  if ([more, rest, others, hidden].some((extra) => Object.keys(extra).length > 0)) return undefined
  const is = readValue(object(value))
  if (is === null) return undefined
  // A ticked box is what a condition without a value means.
  const plain = is === true && fields.find((one) => one.id === field)?.type === 'checkbox'
  const when = { field, ...(is !== undefined && !plain && { is }) } as FieldCondition
  return { id, when, required: needed !== undefined }
}

function readValue(value: Schema): unknown {
  const [[keyword, given] = [], ...more] = Object.entries(value)
  if (more.length > 0) return null
  if (keyword === undefined) return undefined
  if (keyword === 'contains') return readValue(object(given)) ?? null
  return keyword === 'const' || (keyword === 'enum' && Array.isArray(given)) ? given : null
}

const object = (value: unknown): Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Schema) : {}
