import type { FieldOption } from '../../protocol/fields.ts'
import { unsupported } from './unsupported.ts'

type Schema = Readonly<Record<string, unknown>>

/** Returns the choices of a schema in any of the supported notations; null if it has none. */
export function choicesOf(schema: Schema, path: string): FieldOption[] | null {
  const keyword = ['oneOf', 'anyOf', 'enum', 'const'].find((key) => schema[key] !== undefined)
  if (!keyword) return null
  if (schema.type !== undefined && schema.type !== 'string') {
    throw unsupported(keyword, path, 'choices are text; make its type "string"')
  }
  const list = keyword === 'const' ? [schema.const] : schema[keyword]
  if (!Array.isArray(list) || !list.length)
    throw unsupported(keyword, path, 'it must be a list with at least one element')
  const options = keyword === 'oneOf' || keyword === 'anyOf' ? constants(list, keyword, path) : named(list, schema)
  const odd = options.find(({ value, label }) => typeof value !== 'string' || typeof label !== 'string')
  if (odd) throw unsupported(keyword, path, 'each choice must be a constant string with a textual title')
  return options as FieldOption[]
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
