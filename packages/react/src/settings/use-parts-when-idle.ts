import { useEffect } from 'react'
import type { Clock } from '../base/clock.ts'
import { loadParts } from '../base/on-demand.ts'

/** Well after the first paint, and early enough that the parts are loaded before a connection is lost. */
const IDLE_MS = 1_000

/** Loads the parts of cards that are not in the first bundle, once the page is idle. */
export function usePartsWhenIdle(clock: Clock): void {
  useEffect(() => {
    const timer = clock.setTimeout(() => {
      if (window.requestIdleCallback) window.requestIdleCallback(() => void loadParts())
      else void loadParts()
    }, IDLE_MS)
    return () => clock.clearTimeout(timer)
  }, [clock])
}
