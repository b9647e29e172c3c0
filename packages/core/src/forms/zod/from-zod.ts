import { z } from 'zod'
import { HoldpointError, isHoldpointError } from '../../error.ts'
import { checkFields } from '../fields/check-fields.ts'
import type { InputField } from '../fields/types.ts'
import { fieldFromProperty } from '../json-schema/from-json-schema.ts'
import { unsupported } from '../json-schema/unsupported.ts'
import { patternWithoutFlags } from './regex-flags.ts'

type Schema = Readonly<Record<string, unknown>>

/**
 * Returns the fields of a flat zod object. Labels come from `.meta({ title })` or `.meta({ label })`, otherwise from
 * the key; descriptions come from `.describe()`. `.meta()` also accepts `field` (`'textarea' | 'radio' | 'secret' |
 * 'file' | 'money' | 'phone' | 'daterange'`), `options` (with labels), `other`, `placeholder`, `autocomplete`, `group`,
 * `currency`, and `min`, `max` of dates. An `.optional()` property can have `when`, and with it `required: true`.
 *
 * @example
 * fieldsFromZod(
 *   z.object({
 *     email: z.email().meta({ label: 'E-mail', autocomplete: 'email' }),
 *     copies: z.int().min(1).default(1),
 *     size: z.enum(['s', 'm']).meta({
 *       field: 'radio',
 *       options: [
 *         { value: 's', label: 'Small' },
 *         { value: 'm', label: 'Medium' },
 *       ],
 *     }),
 *     apiKey: z.string().meta({ field: 'secret' }),
 *   }),
 * )
 */
export function fieldsFromZod(schema: z.ZodType): InputField[] {
  const root = toJson(schema)
  if (root.type !== 'object' || !root.properties) {
    throw unsupported('type', '', 'a form is a `z.object` with one property for each field')
  }
  const required = new Set(root.required as string[] | undefined)
  const ownEmail = (toJson(z.email()) as { pattern?: string }).pattern
  const fields = Object.entries(root.properties as Record<string, Schema>).map(([id, property]) =>
    fieldOf(id, property, required.has(id), ownEmail),
  )
  checkFields(fields)
  return fields
}

function toJson(schema: z.ZodType): Schema {
  if (!('_zod' in schema)) throw notZod4(schema)
  try {
    return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', override: foldFlags })
  } catch (cause) {
    if (isHoldpointError(cause)) throw cause
    throw new HoldpointError('unsupported_schema', 'This zod schema has no JSON form; use a flat z.object.', { cause })
  }
}

/** JSON Schema has no flags. zod drops them, and the form would reject values that the schema accepts. */
function foldFlags({ zodSchema, jsonSchema, path }: Override): void {
  const { def } = zodSchema._zod
  for (const { pattern: regex } of [def, ...(def.checks ?? []).map(({ _zod }) => _zod.def)] as { pattern?: RegExp }[]) {
    if (!regex) continue
    const pattern = patternWithoutFlags(regex)
    if (pattern === null) {
      const why = `the regular expression ${regex} has the flag "${flagOf(regex)}", which a pattern cannot express. Use .refine() instead`
      throw unsupported('pattern', path.join('.'), why)
    }
    if (jsonSchema.pattern === regex.source) jsonSchema.pattern = pattern
    for (const part of jsonSchema.allOf ?? []) if (part.pattern === regex.source) part.pattern = pattern
  }
}

type Override = Parameters<NonNullable<NonNullable<Parameters<typeof z.toJSONSchema>[1]>['override']>>[0]

const flagOf = ({ flags }: RegExp) => ['y', 'm', 'i', 's'].find((flag) => flags.includes(flag)) ?? flags

/** Schemas of zod 3 and of other libraries look alike, and their own errors do not name the cause. */
function notZod4(schema: object): HoldpointError {
  const { vendor } = (schema as { '~standard'?: { vendor?: unknown } })['~standard'] ?? {}
  const isZod3 = vendor === 'zod' || '_def' in schema
  const message = isZod3
    ? 'This is a schema of zod 3, and forms read schemas of zod 4. Upgrade with `npm install zod@4`, or import `z` from "zod/v4" where your zod 3 release has it.'
    : `This is a schema of ${typeof vendor === 'string' ? vendor : 'another library'}, and forms read schemas of zod 4. Pass its JSON Schema as \`jsonSchema\`, or describe the form with \`fields\`.`
  return new HoldpointError('unsupported_schema', message)
}

function fieldOf(id: string, property: Schema, required: boolean, ownEmail?: string): InputField {
  const path = `properties.${id}`
  const { field: kind, label, options, placeholder, autocomplete, min, max, accept, maxBytes, ...own } = property
  const { group, when, required: whenAsked, other, currency, ...rest } = own
  if (when !== undefined && required) {
    throw unsupported(
      'when',
      path,
      'a property that is asked only sometimes is `.optional()`; `required: true` goes into `.meta()`',
    )
  }
  const asked = { ...defined({ group, when }), ...(when !== undefined && whenAsked === true && { required: true }) }
  const extras = { ...defined({ placeholder, autocomplete }), ...asked }
  if (kind === 'file') {
    const { title = label, description } = rest
    const base = fieldFromProperty(id, { ...defined({ title, description }), type: 'boolean' }, required)
    const many = rest.type === 'array' ? { multiple: true } : {}
    return { ...base, ...extras, ...defined({ accept, maxBytes }), ...many, type: 'file' } as InputField
  }
  if (kind === 'money' || kind === 'phone' || kind === 'daterange') {
    return {
      ...specialField(id, { ...rest, kind, label, currency, min, max }, required, path),
      ...extras,
    } as InputField
  }
  if (other === true)
    return { ...openChoice(id, { ...rest, kind, label, options }, required, path), ...extras } as InputField
  const titled = label === undefined ? rest : { ...rest, title: label }
  const field = fieldFromProperty(id, simplified(titled, path, ownEmail), required)
  return {
    ...field,
    ...extras,
    ...(field.type === 'date' || field.type === 'datetime' ? defined({ min, max }) : {}),
    ...(options === undefined ? {} : { options: relabelled(field, options, path) }),
    ...(kind === undefined ? {} : { type: retyped(field, kind, path) }),
  } as InputField
}

const SPECIAL: Readonly<Record<string, unknown>> = { money: 'number', phone: 'string', daterange: 'object' }

/** An amount, a phone number or two days: zod has no type for them, so `field` names them. */
function specialField(id: string, given: Schema, required: boolean, path: string): InputField {
  const {
    kind,
    label,
    currency,
    min,
    max,
    type,
    title = label,
    description,
    default: defaultValue,
    minimum,
    maximum,
  } = given
  if (type !== SPECIAL[String(kind)]) throw unsupported('field', path, `a ${type} cannot be shown as "${kind}"`)
  if (kind === 'money' && !/^[A-Z]{3}$/.test(String(currency))) {
    throw unsupported('currency', path, 'an amount needs one, such as "EUR"')
  }
  const base = fieldFromProperty(id, { ...defined({ title, description }), type: 'boolean' }, required)
  const limits = kind === 'money' ? { currency, minimum, maximum } : kind === 'daterange' ? { min, max } : {}
  return { ...base, ...defined({ ...limits, defaultValue }), type: kind } as InputField
}

/** A choice with text of one's own: for zod it is text, so `options` names the choices. */
function openChoice(id: string, given: Schema, required: boolean, path: string): InputField {
  const { kind, label, options, type, title = label, description, default: defaultValue, minItems, maxItems } = given
  const wanted = kind ?? (type === 'array' ? 'multiselect' : 'select')
  const fits =
    wanted === 'multiselect' ? type === 'array' : type === 'string' && (wanted === 'select' || wanted === 'radio')
  if (!fits || !Array.isArray(options)) {
    throw unsupported('other', path, 'it needs `options`, on a z.string() or a z.array(z.string())')
  }
  const base = fieldFromProperty(id, { ...defined({ title, description }), type: 'boolean' }, required)
  return { ...base, ...defined({ options, minItems, maxItems, defaultValue }), other: true, type: wanted } as InputField
}

/** Keywords that zod writes beside a constraint for which the form has its own property. */
function simplified(property: Schema, path: string, ownEmail?: string): Schema {
  const { pattern, format, minimum, maximum, exclusiveMinimum, exclusiveMaximum, ...rest } = property
  if (property.type === 'integer') {
    const least = typeof exclusiveMinimum === 'number' ? Math.floor(exclusiveMinimum) + 1 : minimum
    const most = typeof exclusiveMaximum === 'number' ? Math.ceil(exclusiveMaximum) - 1 : maximum
    return {
      ...rest,
      ...defined({
        minimum: least === Number.MIN_SAFE_INTEGER ? undefined : least,
        maximum: most === Number.MAX_SAFE_INTEGER ? undefined : most,
      }),
    }
  }
  if (property.type === 'string') {
    const implied = format === 'date' || format === 'date-time' || (format === 'email' && pattern === ownEmail)
    // For `uuid`, `starts_with` and the like the pattern alone is sufficient.
    const namedFormat =
      ['email', 'uri', 'date', 'date-time'].includes(format as string) || !pattern ? format : undefined
    return { ...rest, ...defined({ format: namedFormat, pattern: implied ? undefined : pattern }) }
  }
  if (property.type === undefined && !property.anyOf && !property.oneOf) {
    throw unsupported('type', path, 'this zod type has no JSON form; a date is z.iso.date(), a choice z.enum([…])')
  }
  const union = typesOf(property)
  if (union && !union.includes('null')) {
    const why = `a field has one type, and this union has ${union.join(' and ')}. Use one of them, or z.enum([…]) for a choice`
    throw unsupported('anyOf', path, why)
  }
  if (union) {
    throw unsupported('null', path, 'a field has an answer or none; use .optional() instead of .nullable()')
  }
  return property
}

/** The types of a union of several; undefined for one type, and for a choice between constants. */
function typesOf({ type, anyOf, oneOf }: Schema): unknown[] | undefined {
  if (Array.isArray(type)) return type
  const members = (anyOf ?? oneOf) as readonly Schema[] | undefined
  if (!Array.isArray(members) || members.every((member) => 'const' in member)) return undefined
  const types = [...new Set(members.map((member) => member.type ?? 'a value without a type'))]
  return types.length > 1 ? types : undefined
}

function relabelled(field: InputField, options: unknown, path: string): unknown {
  const [values, named] = [field.options, options].map((list) =>
    Array.isArray(list) ? list.map((option) => (option as Schema).value) : [],
  )
  const same = values!.length === named!.length && values!.every((value) => named!.includes(value))
  if (!same) throw unsupported('options', path, 'they must name the same values as the enum, each once')
  return options
}

const LOOKS: Readonly<Record<string, readonly string[]>> = {
  text: ['text', 'textarea', 'secret'],
  select: ['select', 'radio'],
}

function retyped(field: InputField, kind: unknown, path: string): unknown {
  if (field.type === kind) return kind
  if (!LOOKS[field.type]?.includes(String(kind))) {
    throw unsupported('field', path, `a ${field.type} cannot be shown as "${kind}"`)
  }
  if (kind === 'secret' && field.defaultValue !== undefined) {
    throw unsupported('default', path, 'a secret cannot have a default, because every client could read it')
  }
  if (kind !== 'text' && field.pattern !== undefined) {
    throw unsupported('pattern', path, `a ${kind} has no pattern; check it after the answer`)
  }
  return kind
}

function defined(values: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))
}
