import { humanize } from '../forms/json-schema/humanize.ts'

/** Numbers that name something instead of counting it are written without separators. */
const NAMES: ReadonlySet<string> = new Set(
  'id ids no nr number year port code zip phone pid pin version build line row index offset uid gid'.split(' '),
)
const MONEY: ReadonlySet<string> = new Set('amount price total subtotal cost fee tax budget balance sum'.split(' '))
/** Abbreviations that can only be a unit. Whole words stay in the label. */
const UNITS: Readonly<Record<string, string>> = {
  ms: 'millisecond',
  millis: 'millisecond',
  secs: 'second',
  mins: 'minute',
  hrs: 'hour',
  kb: 'kilobyte',
  mb: 'megabyte',
  gb: 'gigabyte',
  tb: 'terabyte',
  pct: 'percent',
  km: 'kilometer',
  kg: 'kilogram',
}

/** A number as text, and the words of its key without the unit that is shown after the number. */
export interface ReadableNumber {
  text: string
  key: string
  /** The row of this number contains the currency of the object. */
  takesCurrency?: boolean
}

/** Writes a number exactly: no digit is rounded away, and what cannot be written out keeps its JSON text. */
export function readNumber(key: string, value: number, locale: string, currency?: string): ReadableNumber {
  const json = JSON.stringify(value)
  if (!isExact(value)) return { text: json, key }
  const words = wordsOf(key)
  const last = words.at(-1) ?? ''
  const money = currency === undefined ? undefined : readMoney(key, words, value, locale, currency)
  if (money) return money
  if (NAMES.has(last)) return { text: json, key }
  const unit = words.length > 1 ? UNITS[last] : undefined
  const style = unit ? ({ style: 'unit', unit, unitDisplay: 'short' } as const) : {}
  return { text: format(value, locale, style), key: unit ? words.slice(0, -1).join(' ') : key }
}

/** True for a number that can be written out: beyond these a reader would count zeros, and a formatter could invent digits. */
export const isExact = (value: number): boolean =>
  /^-?\d+(\.\d+)?$/.test(JSON.stringify(value)) && (!Number.isInteger(value) || Number.isSafeInteger(value))

function readMoney(
  key: string,
  words: readonly string[],
  value: number,
  locale: string,
  currency: string,
): ReadableNumber | undefined {
  const style = { style: 'currency', currency, currencyDisplay: 'code' } as const
  const minor = words.at(-1) === 'cents' || words.at(-1) === 'cent'
  const base = minor ? words.slice(0, -1) : words
  if (!MONEY.has(base.at(-1) ?? '')) return undefined
  if (!minor) {
    // Whole numbers get no decimals, because they may count units or hundredths.
    const text = format(value, locale, { ...style, ...(Number.isInteger(value) && { minimumFractionDigits: 0 }) })
    return { text, key, takesCurrency: true }
  }
  const { maximumFractionDigits } = new Intl.NumberFormat(locale, style).resolvedOptions()
  if (maximumFractionDigits !== 2 || !Number.isInteger(value) || Math.abs(value) > 1e14) return undefined
  return { text: format(value / 100, locale, style, 2), key: base.join(' '), takesCurrency: true }
}

function format(value: number, locale: string, style: Intl.NumberFormatOptions, digits = 20): string {
  return new Intl.NumberFormat(locale, { useGrouping: 'min2', maximumFractionDigits: digits, ...style }).format(value)
}

const wordsOf = (key: string) => humanize(key).toLowerCase().split(' ')
