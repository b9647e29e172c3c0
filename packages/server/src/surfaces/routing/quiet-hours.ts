import { HoldpointError } from '@holdpoint/core'

/** Hours of each day in which a user is not notified: `{ from: '22:00', to: '07:00', timeZone: 'Europe/Berlin' }`. */
export interface QuietHours {
  from: string
  to: string
  /** An IANA time zone. */
  timeZone: string
}

const MINUTE_MS = 60_000
const DAY_MINUTES = 24 * 60

/**
 * Returns the end of the quiet hours that contain `now`, or undefined outside of them. The clock of the time zone
 * counts, so a night in which the clocks change is an hour longer or shorter.
 */
export function quietUntil({ from, to, timeZone }: QuietHours, now: number): number | undefined {
  const [begin, end] = [minuteOf(from), minuteOf(to)]
  const minute = localMinute(timeZone, now)
  const isQuiet = begin <= end ? begin <= minute && minute < end : minute >= begin || minute < end
  if (!isQuiet) return undefined
  const fullMinute = now - (now % MINUTE_MS)
  let until = fullMinute + ((end - minute + DAY_MINUTES) % DAY_MINUTES) * MINUTE_MS
  // The clocks may change before the end.
  const off = ((localMinute(timeZone, until) - end + DAY_MINUTES * 1.5) % DAY_MINUTES) - DAY_MINUTES / 2
  until -= off * MINUTE_MS
  return Math.max(until, fullMinute + MINUTE_MS)
}

function minuteOf(time: string): number {
  const [, hours, minutes] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(time) ?? []
  if (hours !== undefined && minutes !== undefined) return Number(hours) * 60 + Number(minutes)
  throw new HoldpointError(
    'invalid_time',
    `Quiet hours: "${time}" is no time of day. Write hours and minutes: "07:00".`,
  )
}

function localMinute(timeZone: string, at: number): number {
  const [hours = 0, minutes = 0] = clockOf(timeZone).format(at).split(':').map(Number)
  return hours * 60 + minutes
}

function clockOf(timeZone: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
  } catch {
    throw new HoldpointError(
      'invalid_time',
      `Quiet hours: "${timeZone}" is no time zone. Write a name such as "Europe/Berlin".`,
    )
  }
}
