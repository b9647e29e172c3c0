const DATE = /^\d{4}-\d\d-\d\d$/
const DATETIME = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(:\d\d(?:\.\d+)?)?(Z|[+-]\d\d:\d\d)?$/i

/** Matches an existing calendar day, as `YYYY-MM-DD`. (`Date.parse` reads the 30th of February as the 2nd of March.) */
export function isDate(text: string): boolean {
  const time = DATE.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}

/**
 * Returns the instant of a text in UTC, or null. A text without a time zone has none, unless `localTime` permits this
 * machine's zone, as `<input type="datetime-local">` means it.
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
 * Returns the value that `<input type="datetime-local">` shows for an instant, in this machine's time zone; '' for
 * anything else.
 *
 * @example <input type="datetime-local" defaultValue={toLocalDateTime(values.start)} />
 */
export function toLocalDateTime(instant: unknown): string {
  const time = typeof instant === 'string' ? Date.parse(toInstant(instant, true) ?? '') : Number.NaN
  if (Number.isNaN(time)) return ''
  const shifted = new Date(time - new Date(time).getTimezoneOffset() * 60_000)
  return shifted.toISOString().slice(0, 16)
}
