const DATE = /^\d{4}-\d\d-\d\d$/
const DATETIME = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(:\d\d(?:\.\d+)?)?(Z|[+-]\d\d:\d\d)?$/i

/** A calendar day that exists, as `YYYY-MM-DD`. (`Date.parse` takes the 30th of February for the 2nd of March.) */
export function isDate(text: string): boolean {
  const time = DATE.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}

/**
 * The instant that a text names, in UTC, or null. Without a time zone it names none, unless `localTime` says to read
 * it in this machine's zone, as `<input type="datetime-local">` means it.
 */
export function toInstant(text: string, localTime = false): string | null {
  const found = DATETIME.exec(text)
  if (!found || !isDate(found[1]!)) return null
  const [, day, minutes, seconds = ':00', zone = ''] = found
  if (!zone && !localTime) return null
  const time = Date.parse(`${day}T${minutes}${seconds}${zone.toUpperCase()}`)
  return Number.isNaN(time) ? null : new Date(time).toISOString().replace('.000Z', 'Z')
}

/**
 * What `<input type="datetime-local">` shows for an instant, in this machine's time zone; '' for anything else.
 *
 * @example
 * <input type="datetime-local" defaultValue={toLocalDateTime(values.start)} />
 */
export function toLocalDateTime(instant: unknown): string {
  const time = typeof instant === 'string' ? Date.parse(toInstant(instant, true) ?? '') : Number.NaN
  if (Number.isNaN(time)) return ''
  const shifted = new Date(time - new Date(time).getTimezoneOffset() * 60_000)
  return shifted.toISOString().slice(0, 16)
}
