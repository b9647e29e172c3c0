/**
 * Reads a number as people write it. The validator and the server only know `1000.5`; people also type `1.000,5`,
 * `1 000,5` or `١٠٠٠٫٥`.
 */

/** How a locale writes numbers. */
interface Writing {
  decimal: string
  group: string
}

const SPACES = /[\s\u00a0\u202f\u2009]/gu
const APOSTROPHES = /['’]/gu
/** Direction marks, which keyboards of right-to-left languages add. */
const MARKS = /[\u200e\u200f\u061c\u2066-\u2069]/gu
const PLAIN = /^-?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i

/**
 * Returns the number in a text in plain form (`-1000.5`); undefined if there is none, or if it is ambiguous. A comma or
 * point with only one possible meaning is read in that way in every locale; other ones are read by the rules of the
 * locale.
 */
export function readNumber(typed: string, locale: string): string | undefined {
  const text = latinDigits(typed.replace(MARKS, '').trim(), locale)
    .replace(/[−﹣－]/gu, '-')
    .replace(/^\+/, '')
  const sign = text.startsWith('-') ? '-' : ''
  const [, whole = '', exponent = ''] = /^-?(.*?)(e[+-]?\d+)?$/i.exec(text) ?? []
  const body = readUnsigned(whole.replaceAll('٫', ',,').replaceAll('٬', "'"), writingOf(locale))
  const plain = body === undefined ? undefined : `${sign}${body}${exponent}`
  return plain !== undefined && PLAIN.test(plain) && Number.isFinite(Number(plain)) ? plain : undefined
}

/** A plain number in the locale's form, without groups: what an input shows, and what is echoed. */
export function writeNumber(plain: string, locale: string): string {
  if (!PLAIN.test(plain)) return plain
  return new Intl.NumberFormat(locale, { useGrouping: false, maximumFractionDigits: 20 }).format(Number(plain))
}

function readUnsigned(text: string, { decimal, group }: Writing): string | undefined {
  // The Arabic decimal sign is nothing else anywhere.
  if (text.includes(',,')) return join(text, ',,')
  const last = Math.max(text.lastIndexOf('.'), text.lastIndexOf(','))
  if (last < 0) return wholeOf(text)
  const mark = text[last]!
  const marks = text.split(mark).length - 1
  const both = text.includes('.') && text.includes(',')
  if (both) return join(text, mark)
  if (marks > 1) return wholeOf(text)
  const [before, after] = [text.slice(0, last), text.slice(last + 1)]
  const couldGroup = /^[1-9]\d{0,2}$/.test(before) && /^\d{3}$/.test(after)
  if (!couldGroup || mark === decimal) return join(text, mark)
  if (mark === group) return before + after
  // Neither sign is the locale's own. Programs write a point.
  return mark === '.' ? join(text, mark) : undefined
}

/** Splits a text at the decimal sign, which may occur once. */
function join(text: string, decimal: string): string | undefined {
  const [before = '', after = '', ...more] = text.split(decimal)
  if (more.length || !/^\d*$/.test(after)) return undefined
  const whole = before === '' ? '' : wholeOf(before)
  if (whole === undefined || whole + after === '') return undefined
  return after === '' ? whole : `${whole}.${after}`
}

/** Digits, in groups or not. Groups have three digits, in India all but the last have two. */
function wholeOf(text: string): string | undefined {
  const even = text.replace(SPACES, ' ').replace(APOSTROPHES, "'")
  if (/^\d+$/.test(even)) return even
  return /^\d{1,3}(?:([ ',.])\d{2,3}(?:\1\d{2,3})*)?$/.test(even) && /\d{3}$/.test(even)
    ? even.replace(/\D/g, '')
    : undefined
}

function writingOf(locale: string): Writing {
  const parts = new Intl.NumberFormat(locale, { useGrouping: true }).formatToParts(1_234_567.5)
  const find = (type: string) => latinMark(parts.find((part) => part.type === type)?.value ?? '')
  return { decimal: find('decimal') || '.', group: find('group') }
}

const latinMark = (mark: string) => (mark === '٫' || mark === '٬' ? ',' : mark)

/** Ranges of decimal digits that keyboards offer whatever the page's language is: Arabic, Persian, full width. */
const ZEROS = ['٠', '۰', '０'].map((zero) => zero.codePointAt(0)!)

function latinDigits(text: string, locale: string): string {
  const own = new Intl.NumberFormat(locale, { useGrouping: false }).format(0).codePointAt(0)!
  return Array.from(text, (character) => {
    const code = character.codePointAt(0)!
    const zero = [own, ...ZEROS].find((start) => code >= start && code <= start + 9)
    return zero === undefined ? character : String(code - zero)
  }).join('')
}
