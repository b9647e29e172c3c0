import { useEffect, useState } from 'react'
import { useSettings } from '../settings/context.ts'

const MINUTE = 60_000
const units = [
  ['day', 24 * 60 * MINUTE],
  ['hour', 60 * MINUTE],
  ['minute', MINUTE],
] as const

/** How long ago something was, in one unit: "5 minutes ago". */
export function ageText(at: number, now: number, locale: string): string {
  if (!Number.isFinite(at)) return ''
  const age = Math.max(0, now - at)
  const [unit, size] = units.find(([, ms]) => age >= ms) ?? units[2]
  return new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(-Math.floor(age / size), unit)
}

/** Returns the time, updated each minute; null on a server and during the first render. */
export function useNow(): number | null {
  const { clock } = useSettings()
  const [now, setNow] = useState<number | null>(null)
  useEffect(() => {
    let timer: unknown
    const tick = () => {
      setNow(clock.now())
      timer = clock.setTimeout(tick, MINUTE)
    }
    tick()
    return () => clock.clearTimeout(timer)
  }, [clock])
  return now
}
