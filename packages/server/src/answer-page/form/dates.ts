import type { DateRange } from '@holdpoint/core/internal'

const DAY = { dateStyle: 'long', timeZone: 'UTC' } as const
const TIME = {
  ...({ year: 'numeric', month: 'long', day: 'numeric', hour: 'numeric', minute: '2-digit' } as const),
  ...({ timeZone: 'UTC', timeZoneName: 'short' } as const),
}

/** Returns an ISO day or time in the words of the reader. Every other text stays as it is. */
export function dateText(text: string, locale: string): string {
  const [, time] = /^\d{4}-\d\d-\d\d(T.*)?$/.exec(text) ?? [text, '']
  const at = Date.parse(text)
  return time === '' || Number.isNaN(at) ? text : new Intl.DateTimeFormat(locale, time ? TIME : DAY).format(at)
}

/** Returns a range of days in the words of the reader. */
export function rangeText({ from, to }: DateRange, locale: string): string {
  const [first, last] = [Date.parse(from), Date.parse(to)]
  if (!(first <= last)) return `${from} – ${to}`
  return new Intl.DateTimeFormat(locale, DAY).formatRange(first, last)
}
