import { HoldpointError } from '@holdpoint/core'

/** Clock and randomness, injected so that tests can control them. */
export interface Clock {
  /** Milliseconds since the epoch, for times that are shown or sent. */
  now(): number
  /** Milliseconds since an arbitrary moment, to measure intervals. They do not jump when the wall clock is set. */
  elapsed(): number
  setTimeout(callback: () => void, ms: number): unknown
  clearTimeout(handle: unknown): void
  /** An unguessable id. */
  id(): string
}

/** The real clock and timers. Its timers do not keep a process alive. */
export function systemClock(): Clock {
  return {
    now: () => Date.now(),
    elapsed: () => performance.now(),
    setTimeout(callback, ms) {
      const handle = setTimeout(callback, ms)
      if (typeof handle === 'object') handle.unref()
      return handle
    },
    clearTimeout: (handle) => clearTimeout(handle as ReturnType<typeof setTimeout>),
    id: () => crypto.randomUUID(),
  }
}

/**
 * Resolves after the requests and timers that are due. A store that answers without waiting, such as SQLite, continues
 * its caller at once, so a long read on it would otherwise delay everything else in this process.
 */
export const nextTurn = (): Promise<void> =>
  new Promise((resolve) => {
    // Pages that run the mock server have no setImmediate.
    if (typeof setImmediate === 'function') setImmediate(resolve)
    else setTimeout(resolve)
  })

const UNITS: Record<string, number> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** `'10m'` → 600,000. */
export function milliseconds(time: number | string): number {
  if (typeof time === 'number') return time
  const [, amount, unit = ''] = /^(\d+(?:\.\d+)?)\s*(ms|s|m|h|d)$/.exec(time) ?? []
  const factor = UNITS[unit]
  if (amount !== undefined && factor !== undefined) return Number(amount) * factor
  throw new HoldpointError(
    'invalid_time',
    `"${time}" is no time. Write milliseconds, or a number with ms, s, m, h or d: "10m".`,
  )
}
