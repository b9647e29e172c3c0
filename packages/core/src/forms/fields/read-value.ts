import { isDate, toInstant } from './datetime.ts'
import type { PatternChecks } from './pattern.ts'
import { checkAmount, readOther, readPhone, readRange } from './read-special.ts'
import type { FieldProblem, FieldSpec, UploadedFile } from './types.ts'

type Fail = (code: FieldProblem['code'], params?: FieldProblem['params']) => void

// No part of it can match the same characters in two ways, so it is linear.
const EMAIL = /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/
const VERBATIM = /text|secret|select|radio/
const TEXTUAL = /^(?:text|textarea|email|url|phone|date|datetime|secret|select|radio)$/
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/

/**
 * Converts one control's value to the JSON value of the field; undefined if nothing was typed, chosen or ticked. An
 * unticked checkbox is an answer; an empty text or list is not.
 */
export function readValue(
  field: FieldSpec,
  given: unknown,
  fail: Fail,
  localTime: boolean,
  patterns: PatternChecks,
): unknown {
  const raw = typeof given === 'string' && !VERBATIM.test(field.type) ? given.trim() : given
  if (raw === undefined || raw === null || raw === '') return undefined
  switch (field.type) {
    case 'daterange':
      return readRange(field, raw, fail)
    case 'number':
    case 'integer':
    case 'money':
      return readNumber(field, raw, fail)
    case 'checkbox':
      if (raw === 'on' || raw === 'true') return true
      if (raw === 'false') return false
      return typeof raw === 'boolean' ? raw : void fail('type', { expected: 'true or false' })
    case 'multiselect':
      return readChoices(field, raw, fail)
    case 'file':
      return readFiles(field, raw, fail)
  }
  // A kind from a newer server passes unchanged, because the server validates it.
  if (!TEXTUAL.test(field.type)) return raw
  return typeof raw === 'string'
    ? readText(field, raw, fail, localTime, patterns)
    : void fail('type', { expected: 'text' })
}

type Of<Type> = Extract<FieldSpec, { type: Type }>
type TextField = Of<
  'text' | 'textarea' | 'email' | 'url' | 'phone' | 'date' | 'datetime' | 'secret' | 'select' | 'radio'
>

function readText(field: TextField, text: string, fail: Fail, localTime: boolean, patterns: PatternChecks): unknown {
  if (field.type === 'select' || field.type === 'radio') {
    if (field.options.some(({ value }) => value === text)) return text
    return field.other ? readOther(text, fail) : void fail('not_an_option')
  }
  if (field.type === 'phone') return readPhone(text, fail)
  if (field.type === 'date' || field.type === 'datetime') return readDate(field, text, fail, localTime)
  const { minLength = 0, maxLength = Infinity } = field
  if (text.length < minLength) fail('too_short', { min: minLength })
  if (text.length > maxLength) fail('too_long', { max: maxLength })
  if (field.type === 'email' && (text.length > 254 || !EMAIL.test(text))) fail('bad_email')
  if (field.type === 'url' && !isWebAddress(text)) fail('bad_url')
  const pattern = 'pattern' in field ? String(field.pattern ?? '') : ''
  if (pattern && !patterns.passes(pattern, text)) fail('pattern', { pattern })
  return text
}

/** The URL parser alone would accept `http:x`, and silently drop tabs and line feeds. */
function isWebAddress(text: string): boolean {
  return /^https?:\/\/\S+$/i.test(text) && URL.canParse(text)
}

function readDate(field: Of<'date' | 'datetime'>, typed: string, fail: Fail, localTime: boolean): string | undefined {
  const day = field.type === 'date'
  const read = (text: string) => (day ? (isDate(text) ? text : null) : toInstant(text, localTime))
  const value = read(typed)
  if (value === null) return void fail(day ? 'bad_date' : 'bad_datetime')
  const { min, max } = field
  if (min && value < (read(min) ?? '')) fail('too_small', { min })
  if (max && value > (read(max) ?? '~')) fail('too_big', { max })
  return value
}

function readNumber(field: Of<'number' | 'integer' | 'money'>, raw: unknown, fail: Fail): number | undefined {
  const value = typeof raw === 'string' && NUMBER.test(raw) ? Number(raw) : raw
  if (typeof value !== 'number' || !Number.isFinite(value)) return void fail('type', { expected: 'a number' })
  const whole = field.type === 'integer'
  if (whole && !Number.isInteger(value)) fail('not_integer')
  const largest = whole ? Number.MAX_SAFE_INTEGER : Infinity
  const { minimum = -largest, maximum = largest } = field
  if (value < minimum) fail('too_small', { min: minimum })
  if (value > maximum) fail('too_big', { max: maximum })
  if (field.type === 'money') checkAmount(field, value, fail)
  // JSON has no minus zero.
  return value === 0 ? 0 : value
}

function readChoices(field: Of<'multiselect'>, raw: unknown, fail: Fail): string[] | undefined {
  const offered = new Set<unknown>(field.options.map(({ value }) => value))
  const read = (value: unknown) =>
    field.other && typeof value === 'string' && !offered.has(value) ? readOther(value, fail) : value
  const given = [raw].flat().map(read)
  const chosen = [...new Set(given)].filter((value) => !field.other || value !== undefined)
  if (!chosen.length) return undefined
  const others = chosen.filter((value) => !offered.has(value))
  // Besides the options there is one answer in the person's own words.
  if (others.length > (field.other ? 1 : 0) || !others.every((value) => typeof value === 'string'))
    fail('not_an_option')
  const { minItems = 0, maxItems = Infinity } = field
  if (chosen.length < minItems) fail('too_few', { min: minItems })
  if (chosen.length > maxItems) fail('too_many', { max: maxItems })
  return chosen as string[]
}

function readFiles(field: Of<'file'>, raw: unknown, fail: Fail): UploadedFile[] | UploadedFile | undefined {
  const files = (Array.isArray(raw) ? raw : [raw]).map((file) => readFile(field, file, fail))
  if (!files.length || files.includes(undefined)) return undefined
  if (field.multiple) return files as UploadedFile[]
  if (files[1]) fail('too_many', { max: 1 })
  return files[0]
}

function readFile(field: Of<'file'>, raw: unknown, fail: Fail): UploadedFile | undefined {
  const { handle, name, size, type } = (raw ?? {}) as Record<string, unknown>
  const named = [handle, name, type].every((value) => typeof value === 'string') && handle
  if (!named || !Number.isSafeInteger(size)) return void fail('type', { expected: 'an uploaded file' })
  const file = { handle, name, size, type } as UploadedFile
  if (field.accept?.length && !field.accept.some((kind) => isOfKind(file, kind.trim().toLowerCase()))) {
    fail('bad_file', { reason: 'type', limit: field.accept.join(', ') })
  }
  if (field.maxBytes !== undefined && file.size > field.maxBytes) {
    fail('bad_file', { reason: 'size', limit: field.maxBytes })
  }
  return file
}

/** The format of `accept` in an HTML file control: `.pdf`, `image/*` or `application/pdf`. */
function isOfKind(file: UploadedFile, kind: string): boolean {
  if (kind.startsWith('.')) return file.name.toLowerCase().endsWith(kind)
  const type = file.type.toLowerCase().split(';')[0]!
  return kind.endsWith('/*') ? type.startsWith(kind.slice(0, -1)) : type === kind
}
