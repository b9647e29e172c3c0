import { fieldsOf } from './conditions.ts'
import type { DateRange, FieldSpec, FormSpec } from './types.ts'

/**
 * Returns the initial values of a form's controls by field id: kept values, then defaults, then empty. Numbers are
 * text, as their controls hold them. A secret always starts empty, and a missing file is null.
 *
 * @example const [values, setValues] = useState(() => initialFormValues(request.inputSchema, request.initialValues))
 */
export function initialFormValues(
  schema: FormSpec,
  kept: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  return Object.fromEntries(fieldsOf(schema).map((field) => [field.id, initialValue(field, kept)]))
}

function initialValue(field: FieldSpec, kept: Readonly<Record<string, unknown>>): unknown {
  const before = Object.hasOwn(kept, field.id) ? kept[field.id] : undefined
  const value = before ?? ('defaultValue' in field ? field.defaultValue : undefined)
  switch (field.type) {
    case 'checkbox':
      return value === true
    case 'multiselect':
      return Array.isArray(value) ? [...value] : []
    case 'daterange': {
      const { from = '', to = '' } = (value ?? {}) as Partial<DateRange>
      return { from: String(from), to: String(to) }
    }
    case 'file':
      return value ?? null
    case 'secret':
      // A kept secret is at most the note that one existed.
      return ''
    default:
      return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  }
}
