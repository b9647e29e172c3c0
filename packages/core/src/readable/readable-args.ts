import { escapeInvisible as visibleText } from '../text/escape-invisible.ts'
import { readDate } from './dates.ts'
import { labelsOf } from './labels.ts'
import { readNumber } from './numbers.ts'
import type { ReadableOptions, ReadableRow, ReadableValue, ReadableWords } from './types.ts'

interface Reading {
  locale: string
  timeZone?: string | undefined
  words: ReadableWords
  visible: (text: string) => string
}

const ENGLISH: ReadableWords = { yes: 'Yes', no: 'No', none: 'None', empty: 'Empty', emptyList: 'Empty list' }

/**
 * Returns the arguments of a question as a person reads them: labels instead of keys, lists as lists, numbers, money,
 * dates and units in the reader's language. Every value is there, complete, and invisible characters are shown as
 * escapes. A value stays as it is if a shorter form would be ambiguous. Copy the JSON, not these texts.
 *
 * @example
 * readableArgs({ due_date: '2026-02-01', timeoutMs: 30000, to: ['ada@example.com'] })
 * // group: Due date: February 1, 2026 · Timeout: 30,000 ms · To: list of ada@example.com
 */
export function readableArgs(args: unknown, options: ReadableOptions = {}): ReadableValue {
  const { locale = 'en', timeZone, words, visible = visibleText, depth = 4 } = options
  const reading = { locale, timeZone, visible, words: { ...ENGLISH, ...words } }
  // Arguments are sent as JSON, so values that JSON omits do not run either.
  const json = JSON.stringify(args)
  return json === undefined ? plain(reading.words.none, 'null') : readValue('', JSON.parse(json), reading, depth)
}

function readValue(key: string, value: unknown, reading: Reading, depth: number): ReadableValue {
  const { words, visible } = reading
  if (value === null) return plain(words.none, 'null')
  if (typeof value === 'boolean') return plain(value ? words.yes : words.no, String(value))
  if (typeof value === 'number') return plain(readNumber(key, value, reading.locale).text, JSON.stringify(value))
  if (typeof value === 'string') return readText(value, reading)
  const entries = Object.entries(value as object)
  if (entries.length === 0) return Array.isArray(value) ? plain(words.emptyList, '[]') : plain('{}', '{}')
  if (depth === 0) return { kind: 'json', text: visible(JSON.stringify(value, null, 2)) }
  if (Array.isArray(value))
    return { kind: 'list', items: value.map((item) => readValue(key, item, reading, depth - 1)) }
  return { kind: 'group', rows: readRows(entries, reading, depth - 1) }
}

function readRows(entries: readonly [string, unknown][], reading: Reading, depth: number): ReadableRow[] {
  const currency = currencyOf(entries)
  let beside = false
  const rows = entries.map(([key, value]) => {
    if (typeof value !== 'number') return { key, labelKey: key, value: readValue(key, value, reading, depth) }
    const { text, key: labelKey, takesCurrency } = readNumber(key, value, reading.locale, currency)
    beside ||= takesCurrency === true
    return { key, labelKey, value: plain(text, JSON.stringify(value)) }
  })
  const shown = rows.filter(({ key }) => !(beside && key === 'currency'))
  const labels = labelsOf(shown, reading.visible)
  return shown.map(({ key, value }, index) => ({ key, ...labels[index]!, value }))
}

/** The currency of an object, if it is exactly an ISO code, so that showing it with the amounts loses nothing. */
function currencyOf(entries: readonly [string, unknown][]): string | undefined {
  const value = entries.find(([key]) => key === 'currency')?.[1]
  return typeof value === 'string' && /^[A-Z]{3}$/.test(value) ? value : undefined
}

function readText(text: string, { locale, timeZone, words, visible }: Reading): ReadableValue {
  if (text === '') return plain(words.empty, '""')
  const date = readDate(text, locale, timeZone)
  if (date !== undefined) return plain(date, JSON.stringify(text))
  const shown = visible(text)
  if (text.includes('\n')) return { kind: 'text', text: shown, block: true }
  return { kind: 'text', text: isAmbiguous(text, words) ? `"${shown}"` : shown, block: false }
}

/**
 * True for a text that reads like another value: `"No"` like `false`, `"10.000"` like ten thousand or like ten. Quotes say
 * that it is a text. Spaces at an end would not be seen without them either.
 */
function isAmbiguous(text: string, words: ReadableWords): boolean {
  const word = text.trim().toLowerCase()
  const others = [...Object.values(words), 'true', 'false', 'null', 'yes', 'no', '{}']
  return (
    text.trim() !== text ||
    others.some((other) => other.toLowerCase() === word) ||
    /^[-+−]?\d{1,3}([.,]\d{3})*[.,]\d+$/.test(text) ||
    /^".*"$/.test(text)
  )
}

const plain = (text: string, exact: string): ReadableValue => ({ kind: 'plain', text, exact })
