import { z } from 'zod'
import { checkFields } from '../fields/check-fields.ts'
import { fieldsOf, isAsked } from '../fields/conditions.ts'
import { PatternChecks } from '../fields/pattern.ts'
import { problem } from '../fields/problem.ts'
import { readValue } from '../fields/read-value.ts'
import type { FieldProblem, FieldSpec, FormSpec, InferInput } from '../fields/types.ts'
import { jsonSchemaFromFields } from '../json-schema/to-json-schema.ts'
import { unsupported } from '../json-schema/unsupported.ts'

/**
 * Returns a zod object that accepts exactly the output of `validateInput`, with its messages, and whose JSON Schema has
 * all limits of the fields. Patterns use our own matcher, so that an untrusted pattern never reaches `RegExp`.
 *
 * @example
 * const schema = zodFromFields([{ id: 'copies', type: 'integer', label: 'Copies', required: true }])
 * schema.parse({ copies: 3 }).copies // number
 */
export function zodFromFields<const S extends FormSpec>(schema: S): z.ZodType<InferInput<S>> {
  checkFields(schema)
  // zod also reads inherited properties: an optional field with such a name would never be absent.
  const inherited = fieldsOf(schema).find(({ id }) => id in {})
  if (inherited) throw unsupported('id', `field "${inherited.id}"`, 'every object inherits this name; use another id')
  const shape = Object.fromEntries(fieldsOf(schema).map((field) => [field.id, zodFromField(field)]))
  const form = z.strictObject(shape).superRefine((values, context) => {
    checkConditions(fieldsOf(schema), values, context)
    checkPatterns(fieldsOf(schema), values, context)
  })
  return form as unknown as z.ZodType<InferInput<S>>
}

/** A field that is not asked must be absent, and one that is asked and required must be there. */
function checkConditions(
  fields: readonly FieldSpec[],
  values: Record<string, unknown>,
  context: z.RefinementCtx,
): void {
  const given = new Map<string, unknown>()
  for (const field of fields) {
    const value = values[field.id]
    const asked = isAsked(field, given)
    if (asked && value !== undefined) given.set(field.id, value)
    const wrong = asked
      ? field.when && field.required && value === undefined && 'required'
      : value !== undefined && 'not_asked'
    if (!wrong) continue
    const { code, message } = problem(wrong)
    context.addIssue({ code: 'custom', message, params: { code }, path: [field.id] })
  }
}

/** Patterns are checked for the whole answer: its fields share one budget of work, as in `validateInput`. */
function checkPatterns(fields: readonly FieldSpec[], values: Record<string, unknown>, context: z.RefinementCtx): void {
  const patterns = new PatternChecks()
  for (const field of fields) {
    const value = values[field.id]
    if (value === undefined || !('pattern' in field)) continue
    const found: FieldProblem[] = []
    readValue(field, value, (...made) => void found.push(problem(...made)), false, patterns)
    for (const { code, message, params } of found)
      if (code === 'pattern')
        context.addIssue({ code: 'custom', message, params: { code, ...params }, path: [field.id] })
  }
}

/** At a single field no pattern is checked yet. */
class NoPatterns extends PatternChecks {
  override passes(): boolean {
    return true
  }
}

function zodFromField(field: FieldSpec): z.ZodType {
  const checked = plain(field).superRefine((value, context) => {
    const found: FieldProblem[] = []
    const read = readValue(field, value, (...made) => void found.push(problem(...made)), false, new NoPatterns())
    if (read === undefined && field.required && !found.length) found.push(problem('required'))
    for (const { code, message, params } of found)
      context.addIssue({ code: 'custom', message, params: { code, ...params } })
  })
  const described = checked.meta(description(field))
  const { defaultValue } = field as { defaultValue?: unknown }
  // Whether it is there depends on other fields; a default would fill it in where it is not asked.
  if (field.when) return described.optional().meta(defined({ default: defaultValue, required: field.required }))
  if (field.required) return defaultValue === undefined ? described : described.meta({ default: defaultValue })
  return defaultValue === undefined ? described.optional() : described.default(defaultValue)
}

const uploadedFile = () => z.object({ handle: z.string(), name: z.string(), size: z.int(), type: z.string() })

function plain(field: FieldSpec): z.ZodType {
  switch (field.type) {
    case 'number':
      return z.number()
    case 'money':
      return z.number()
    case 'daterange':
      return z.strictObject({ from: z.string(), to: z.string() })
    case 'integer':
      return z.int()
    case 'checkbox':
      return field.const ? z.literal(true, problem('not_ticked').message) : z.boolean()
    case 'select':
    case 'radio':
      if (field.other) return z.string()
      return z.enum(field.options.map(({ value }) => value))
    case 'multiselect':
      if (field.other) return z.array(z.string())
      return z.array(z.enum(field.options.map(({ value }) => value)))
    case 'file':
      return field.multiple ? z.array(uploadedFile()) : uploadedFile()
    default:
      return z.string()
  }
}

/**
 * Adds what zod does not know of the field: labels and presentation in our keywords, limits in those of JSON Schema.
 */
function description(field: FieldSpec): Record<string, unknown> {
  const { label, description: help, placeholder, autocomplete, group, when } = field
  const words = { title: label, description: help, placeholder, autocomplete, group, when }
  switch (field.type) {
    case 'file':
      return defined({ ...words, field: 'file', accept: field.accept, maxBytes: field.maxBytes })
    case 'select':
    case 'radio':
    case 'multiselect': {
      const { options, minItems, maxItems, other } = field as Extract<FieldSpec, { type: 'multiselect' }>
      const kind = field.type === 'radio' || other ? { field: field.type } : {}
      return defined({ ...words, ...kind, options, other, minItems, maxItems })
    }
    case 'money':
      return defined({
        ...words,
        field: 'money',
        currency: field.currency,
        minimum: field.minimum,
        maximum: field.maximum,
      })
    case 'phone':
      return defined({ ...words, field: 'phone' })
    case 'daterange':
      return defined({ ...words, field: 'daterange', min: field.min, max: field.max })
    case 'date':
    case 'datetime': {
      const { min, max, ...unlimited } = field
      return defined({ ...words, min, max, ...limits({ ...unlimited } as FieldSpec) })
    }
    case 'secret':
    case 'textarea':
      return defined({ ...words, field: field.type, minLength: field.minLength, maxLength: field.maxLength })
    default:
      return defined({ ...words, ...limits(field) })
  }
}

function limits(field: FieldSpec): Record<string, unknown> {
  const { title, type, default: value, ...rest } = jsonSchemaFromFields([field]).properties[field.id]!
  return rest
}

function defined(values: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))
}
