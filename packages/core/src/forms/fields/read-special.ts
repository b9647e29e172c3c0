import { isDate } from './datetime.ts'
import type { DateRange, FieldProblem, FieldSpec } from './types.ts'

type Fail = (code: FieldProblem['code'], params?: FieldProblem['params']) => void
type Of<Type> = Extract<FieldSpec, { type: Type }>

/** Characters of an answer in the person's own words where options are offered. */
export const OTHER_LENGTH = 500

/** An answer that is none of the options, in the person's own words. */
export function readOther(text: string, fail: Fail): string | undefined {
  const words = text.trim()
  if (words.length > OTHER_LENGTH) fail('too_long', { max: OTHER_LENGTH })
  return words || undefined
}

/** How many decimals an amount in this currency has: two for EUR, none for JPY. */
export function decimalsOf(currency: string): number {
  return new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2
}

/** An amount must have no more decimals than its currency. */
export function checkAmount(field: Of<'money'>, amount: number, fail: Fail): void {
  const digits = decimalsOf(field.currency)
  if (Number(amount.toFixed(digits)) !== amount) fail('too_precise', { digits, currency: field.currency })
}

/** Reads two days; as text in the form of ISO 8601, `2026-01-31/2026-02-03`, where only text can be entered. */
export function readRange(field: Of<'daterange'>, raw: unknown, fail: Fail): DateRange | undefined {
  const given = typeof raw === 'string' ? fromText(raw) : raw
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return void fail('bad_range')
  const { from = '', to = '', ...more } = given as Record<string, unknown>
  if (typeof from !== 'string' || typeof to !== 'string' || Object.keys(more).length > 0) return void fail('bad_range')
  const [first, last] = [from.trim(), to.trim()]
  if (!first && !last) return undefined
  if (!first || !last) return void fail('bad_range')
  if (!isDate(first) || !isDate(last)) return void fail('bad_date')
  if (last < first) fail('range_order')
  if (field.min && first < field.min) fail('too_small', { min: field.min })
  if (field.max && last > field.max) fail('too_big', { max: field.max })
  return { from: first, to: last }
}

function fromText(text: string): unknown {
  const [from, to, ...more] = text.split('/')
  return more.length > 0 ? undefined : { from, to: to ?? '' }
}

const ARABIC = /[\u0660-\u0669\u06f0-\u06f9\uff10-\uff19]/g
const PUNCTUATION = /[\s().\-/\u2010-\u2015\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/** Reads a phone number as people write it: with spaces, brackets, `00` for `+`, and the digits of their language. */
export function readPhone(text: string, fail: Fail): string | undefined {
  const plain = text
    .replace(ARABIC, (digit) => String(digit.codePointAt(0)! & 15))
    .replace('\uff0b', '+')
    .replace(PUNCTUATION, '')
    .replace(/^00/, '+')
  return /^\+[1-9]\d{6,14}$/.test(plain) ? plain : void fail('bad_phone')
}
