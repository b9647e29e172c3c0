/** Clock and randomness, injected so that tests can control them. */
export interface Clock {
  /** Milliseconds since the epoch, for times that others see. */
  now(): number
  /** Milliseconds since some moment, to measure intervals. It does not jump when the wall clock is set. */
  elapsed(): number
  setTimeout(callback: () => void, ms: number): unknown
  clearTimeout(handle: unknown): void
  /** An unguessable id. */
  id(): string
}

/** The real clock and timers. Timers do not keep a process alive; its open sockets do. */
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
