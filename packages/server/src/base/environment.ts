/** What the engine takes from its surroundings: timers and chance. Deadlines go by the store's clock, not by this. */
export interface Environment {
  /** Milliseconds that never jump, for delays. */
  now(): number
  /** `keepAlive`: whether an otherwise idle process waits for the timer. */
  setTimeout(callback: () => void, ms: number, keepAlive: boolean): unknown
  /** Changes this for a running timer. False if the platform cannot do so; then a new timer replaces it. */
  keepFor(handle: unknown, keepAlive: boolean): boolean
  clearTimeout(handle: unknown): void
  randomBytes(length: number): Uint8Array
}

/** The real ones. */
export function systemEnvironment(): Environment {
  return {
    now: () => performance.now(),
    setTimeout(callback, ms, keepAlive) {
      const handle: unknown = setTimeout(callback, ms)
      if (!keepAlive && isHeld(handle)) handle.unref()
      return handle
    },
    keepFor(handle, keepAlive) {
      if (!isHeld(handle)) return false
      if (keepAlive) handle.ref()
      else handle.unref()
      return true
    },
    clearTimeout: (handle) => clearTimeout(handle as ReturnType<typeof setTimeout>),
    randomBytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
  }
}

function isHeld(handle: unknown): handle is { ref(): void; unref(): void } {
  return typeof handle === 'object' && handle !== null && 'ref' in handle
}

/** Resolves with `work`, or after `ms` if that is sooner. No timer is left behind. */
export async function within(environment: Environment, ms: number, work: Promise<unknown>): Promise<void> {
  let timer: unknown
  const over = new Promise<void>((resolve) => {
    timer = environment.setTimeout(resolve, ms, true)
  })
  await Promise.race([work, over]).finally(() => environment.clearTimeout(timer))
}

/** Resolves after `ms`; used for backing off. */
export function pause(environment: Environment, ms: number): Promise<void> {
  return new Promise((resolve) => environment.setTimeout(resolve, ms, true))
}

export const environmentName = (): string | undefined => globalThis.process?.env.NODE_ENV
