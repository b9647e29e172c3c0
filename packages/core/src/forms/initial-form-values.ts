import type { FieldSpec, FormSpec } from './types.ts'
import { fieldsOf } from './validate-input.ts'

/**
 * What the controls of a form hold when it appears, by field id: kept values before defaults before nothing. Numbers
 * are text, as their controls hold them; a secret always starts empty; a file that is not there is null.
 *
 * @example
 * const [values, setValues] = useState(() => initialFormValues(request.inputSchema, request.initialValues))
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
    case 'file':
      return value ?? null
    case 'secret':
      // What was kept of a secret is at most the note that there was one.
      return ''
    default:
      return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  }
}
