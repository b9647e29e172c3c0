import type { InputField, InputSchema } from '@holdpoint/core'
import { validateInput } from '@holdpoint/core/forms'
import { type FieldErrors, say } from '@holdpoint/core/internal'
import type { Messages } from '@holdpoint/core/messages'

/** Names a field in the posted form, apart from the names of the page itself. */
export const fieldName = (id: string) => `f.${id}`

/**
 * The fields of a posted form. A body parser of the host, such as `express.urlencoded()`, leaves them as JSON; an encoded
 * form has no brace.
 */
export function formOf(body: string): URLSearchParams {
  if (!body.startsWith('{')) return new URLSearchParams(body)
  const parsed = Object.entries(JSON.parse(body) as Record<string, unknown>)
  return new URLSearchParams(parsed.flatMap(([name, value]) => [value].flat().map((one) => [name, String(one)])))
}

/** What a posted form holds for the fields of a question. Empty fields are left out. */
export function readInput(schema: InputSchema, form: URLSearchParams): Record<string, unknown> {
  const entries = schema.fields.map((field) => [field.id, readField(field, form)] as const)
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
}

function readField(field: InputField, form: URLSearchParams): unknown {
  const name = fieldName(field.id)
  const text = form.get(name) ?? ''
  switch (field.type) {
    case 'checkbox':
      return text === 'true'
    case 'multiselect': {
      const chosen = form.getAll(name)
      return chosen.length > 0 ? chosen : undefined
    }
    case 'number':
    case 'integer':
      // What is no number stays text, so that validation reports it.
      return text.trim() === '' ? undefined : Number.isFinite(Number(text)) ? Number(text) : text
    case 'datetime':
      return text === '' ? undefined : /(?:Z|[+-]\d\d:\d\d)$/.test(text) ? text : `${text}Z`
    case 'textarea':
      return text === '' ? undefined : text.replaceAll('\r\n', '\n')
    case 'file':
      return undefined
    default:
      return text === '' ? undefined : text
  }
}

/** What is wrong with an input, in the language of the page; the server checks the answer again. */
export function problemsOf(schema: InputSchema, input: Record<string, unknown>, messages: Messages): FieldErrors {
  const checked = validateInput(schema, input)
  if (checked.ok) return {}
  return Object.fromEntries(
    Object.entries(checked.problems).map(([id, found]) => [
      id,
      found.map(({ code, params = {} }) => say(messages.problems[code], params)),
    ]),
  )
}
