import type { FieldOption } from '../../protocol/fields.ts'
import { OTHER_LENGTH } from '../fields/read-special.ts'
import { unsupported } from './unsupported.ts'

type Schema = Readonly<Record<string, unknown>>

/** Returns the choices of a schema in any of the supported notations; null if it has none. */
export function choicesOf(schema: Schema, path: string): FieldOption[] | null {
  const keyword = ['oneOf', 'anyOf', 'enum', 'const'].find((key) => schema[key] !== undefined)
  if (!keyword) return null
  if (schema.type !== undefined && schema.type !== 'string') {
    throw unsupported(keyword, path, 'choices are text; make its type "string"')
  }
  const given = keyword === 'const' ? [schema.const] : schema[keyword]
  const list = keyword === 'anyOf' && hasOther(schema) ? (given as unknown[]).slice(0, -1) : given
  if (!Array.isArray(list) || !list.length)
    throw unsupported(keyword, path, 'it must be a list with at least one element')
  const options = keyword === 'oneOf' || keyword === 'anyOf' ? constants(list, keyword, path) : named(list, schema)
  const odd = options.find(({ value, label }) => typeof value !== 'string' || typeof label !== 'string')
  if (odd) throw unsupported(keyword, path, 'each choice must be a constant string with a textual title')
  return options as FieldOption[]
}

/** Whether a list of constants ends with text of one's own, as `jsonSchemaFromFields` writes it. */
export function hasOther({ anyOf }: Schema): boolean {
  const last = Array.isArray(anyOf) && anyOf.length > 1 ? (anyOf.at(-1) as Schema | null) : null
  const { type, maxLength, ...more } = last ?? {}
  return type === 'string' && maxLength === OTHER_LENGTH && Object.keys(more).length === 0
}

type Candidate = { value: unknown; label: unknown; description?: string }

function constants(list: readonly unknown[], keyword: string, path: string): Candidate[] {
  return list.map((item) => {
    const { const: value, title = value, description } = (item ?? {}) as Schema
    if (value === undefined) throw unsupported(keyword, path, 'only constants can be chosen from')
    return { value, label: title, ...(typeof description === 'string' ? { description } : {}) }
  })
}

/** `enumNames` is the notation for titles that preceded `oneOf`. */
function named(values: readonly unknown[], { enumNames }: Schema): Candidate[] {
  const names = Array.isArray(enumNames) ? enumNames : []
  return values.map((value, n) => ({ value, label: names[n] ?? value }))
}
