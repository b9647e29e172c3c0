import type { InputField, InputSchema } from '@holdpoint/core'
import { validateInput } from '@holdpoint/core/forms'
import { type FieldErrors, type FieldProblem, say } from '@holdpoint/core/internal'
import { askedFields } from '@holdpoint/core/internal/forms'
import type { Messages } from '@holdpoint/core/messages'
import type { PageLanguage } from '../markup/language.ts'
import { dateText } from './dates.ts'
import { readFiles } from './files.ts'
import { DRAWN, drawnOf, fieldName, otherName, STEP } from './names.ts'

/** Returns the values of a posted form for the fields of a question. Empty fields are left out. */
export function readInput(schema: InputSchema, form: URLSearchParams): Record<string, unknown> {
  const drawn = form.get(DRAWN)
  const noted = drawn?.split(' ')
  const fields = noted ? schema.fields.filter(({ id }) => noted.includes(encodeURIComponent(id))) : schema.fields
  const entries = fields.map((field) => [field.id, readField(field, form)] as const)
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
}

/**
 * Returns the input that is sent. Steps also carry answers to fields that other answers have removed: those are not
 * sent.
 */
export function sentInput(schema: InputSchema, form: URLSearchParams): Record<string, unknown> {
  const input = readInput(schema, form)
  if (!form.has(STEP)) return input
  const asked = new Set(askedFields(schema, input).map(({ id }) => id))
  return Object.fromEntries(Object.entries(input).filter(([id]) => asked.has(id)))
}

/**
 * Returns whether the entered values require other fields than the page has drawn. The answer is not recorded then, and
 * the person sees the form with the new fields.
 */
export function hasChanged(schema: InputSchema, form: URLSearchParams, input: Record<string, unknown>): boolean {
  const drawn = form.get(DRAWN)
  return drawn !== null && drawn !== drawnOf(askedFields(schema, input))
}

function readField(field: InputField, form: URLSearchParams): unknown {
  const name = fieldName(field.id)
  const text = form.get(name) ?? ''
  switch (field.type) {
    case 'checkbox':
      return text === 'true'
    case 'select':
    case 'radio': {
      const own = field.other ? ownWords(field, form) : ''
      return text || own || undefined
    }
    case 'daterange': {
      const [from, to] = [form.get(`${name}.from`) ?? '', form.get(`${name}.to`) ?? '']
      return from || to ? { from, to } : undefined
    }
    case 'multiselect': {
      const own = field.other && ownWords(field, form)
      const chosen = [...form.getAll(name).filter(Boolean), ...(own ? [own] : [])]
      return chosen.length > 0 ? chosen : undefined
    }
    case 'number':
    case 'integer':
    case 'money':
      // A text that is not a number stays a text, so that validation reports it.
      return text.trim() === '' ? undefined : Number.isFinite(Number(text)) ? Number(text) : text
    case 'datetime':
      return text === '' ? undefined : /(?:Z|[+-]\d\d:\d\d)$/.test(text) ? text : `${text}Z`
    case 'textarea':
      return text === '' ? undefined : text.replaceAll('\r\n', '\n')
    case 'file':
      return readFiles(field, form)
    default:
      return text === '' ? undefined : text
  }
}

/**
 * Returns the free text. If it equals the label or value of an option, the value of that option is returned, so that
 * the record contains the option.
 */
function ownWords(
  field: Extract<InputField, { type: 'select' | 'radio' | 'multiselect' }>,
  form: URLSearchParams,
): string {
  const own = (form.get(otherName(field.id)) ?? '').trim()
  const named = field.options.find(({ value, label }) => [value, label.trim()].includes(own))
  return named?.value ?? own
}

/**
 * Returns the problems of an input in the language of the page, with dates as its reader writes them. The server checks
 * the answer again.
 */
export function problemsOf(
  schema: InputSchema,
  input: Record<string, unknown>,
  { messages, locale }: Pick<PageLanguage, 'locale'> & { messages: Pick<Messages, 'problems'> },
): FieldErrors {
  const checked = validateInput(schema, input)
  if (checked.ok) return {}
  return Object.fromEntries(
    Object.entries(checked.problems).map(([id, found]) => [
      id,
      found.map(({ code, params = {} }) => say(messages.problems[code], readable(params, locale))),
    ]),
  )
}

/** Returns the limits that a problem names, with days and times in the words of the reader. */
function readable({ min, max, ...params }: NonNullable<FieldProblem['params']>, locale: string) {
  const shown = (limit: string | number) => (typeof limit === 'string' ? dateText(limit, locale) : limit)
  return { ...params, ...(min !== undefined && { min: shown(min) }), ...(max !== undefined && { max: shown(max) }) }
}
