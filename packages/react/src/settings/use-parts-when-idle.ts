import { useEffect } from 'react'
import type { Clock } from '../base/clock.ts'
import { loadParts } from '../base/on-demand.ts'

/** Well after the first paint, and early enough that the parts are loaded before a connection is lost. */
const IDLE_MS = 1_000

/** Loads the parts that are not in the first bundle while the page is idle: first the cards, and a little later the rest. */
export function usePartsWhenIdle(clock: Clock): void {
  useEffect(() => {
    whenIdle(() => void loadParts('soon'))
    const timer = clock.setTimeout(() => whenIdle(() => void loadParts()), IDLE_MS)
    return () => clock.clearTimeout(timer)
  }, [clock])
}

const whenIdle = (callback: () => void) =>
  window.requestIdleCallback ? window.requestIdleCallback(callback) : callback()
