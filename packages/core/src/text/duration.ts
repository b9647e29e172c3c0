const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** A longer wait is shown and announced only once the remaining time is below this value. */
export const SHOWN_BELOW_MS = DAY
/** The clocks of server and browser differ a little: five minutes must not read as six. */
const CLOCK_DIFFERENCE = 1.5 * SECOND
/** Returns a duration in one unit, rounded up, and the time until its text changes. */
export function roundUp(ms: number): { unit: 'day' | 'hour' | 'minute' | 'second'; count: number; staysMs: number } {
  const size =
    ms > 2 * DAY ? DAY : ms > 2 * HOUR ? HOUR : ms > MINUTE ? MINUTE : ms > 10 * SECOND ? 10 * SECOND : SECOND
  const unit = size === DAY ? 'day' : size === HOUR ? 'hour' : size === MINUTE ? 'minute' : 'second'
  const steps = Math.ceil(ms / size)
  const count = unit === 'second' ? (steps * size) / SECOND : Math.ceil((ms - CLOCK_DIFFERENCE) / size)
  return { unit, count, staysMs: ms - (steps - 1) * size }
}

/** Returns a duration as text: "2 minutes". */
export function durationText(ms: number, locale: string): string {
  const { unit, count } = roundUp(ms)
  return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(count)
}
