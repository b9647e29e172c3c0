/** Time and chance, handed in so that tests can decide them. */
export interface Clock {
  /** Milliseconds since the epoch: what is told to others. */
  now(): number
  /** Milliseconds since some moment: what intervals are measured by. It does not jump when the wall clock is set. */
  elapsed(): number
  setTimeout(callback: () => void, ms: number): unknown
  clearTimeout(handle: unknown): void
  /** An unguessable id. */
  id(): string
}

/** The real ones. Timers do not keep a process alive: its open sockets do that. */
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
