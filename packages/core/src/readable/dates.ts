const DATE = /^(\d{4})-(\d{2})-(\d{2})$/
const TIME = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,3}))?)?(Z|[+-]\d{2}:?\d{2})?$/

/**
 * Writes an ISO date or time for the reader; undefined for every other text. An instant is shown in the reader's time
 * zone and names it. A time without a zone stays without one.
 */
export function readDate(text: string, locale: string, timeZone?: string): string | undefined {
  if (isDay(text)) return format(`${text}T00:00:00Z`, locale, { dateStyle: 'long', timeZone: 'UTC' })
  const [, day, hour, minute, second = '00', fraction = '', zone] = TIME.exec(text) ?? []
  if (day === undefined || !isDay(day) || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) {
    return undefined
  }
  const digits = fraction.replace(/0+$/, '').length as 0 | 1 | 2 | 3
  const options: Intl.DateTimeFormatOptions = {
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    ...((second !== '00' || digits > 0) && { second: '2-digit' as const }),
    ...(digits > 0 && { fractionalSecondDigits: digits as 1 | 2 | 3 }),
    ...(zone ? { ...(timeZone !== undefined && { timeZone }), timeZoneName: 'short' as const } : { timeZone: 'UTC' }),
  }
  const clock = `${day}T${hour}:${minute}:${second}${fraction ? `.${fraction.padEnd(3, '0')}` : ''}`
  return format(`${clock}${zone ?? 'Z'}`.replace(/([+-]\d{2})(\d{2})$/, '$1:$2'), locale, options)
}

/** True for an ISO day that exists: the 30th of February is a text. */
export function isDay(text: string): boolean {
  if (!DATE.test(text)) return false
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().slice(0, 10) === text && text >= '1000'
}

function format(iso: string, locale: string, options: Intl.DateTimeFormatOptions): string | undefined {
  const date = new Date(iso)
  return Number.isNaN(date.getTime()) ? undefined : new Intl.DateTimeFormat(locale, options).format(date)
}
