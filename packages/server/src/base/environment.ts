/** The timers and the randomness of the engine. Deadlines use the store's clock instead. */
export interface Environment {
  /** Milliseconds of a monotonic clock, for delays. */
  now(): number
  /** With `keepAlive`, an otherwise idle process stays alive until the timer fires. */
  setTimeout(callback: () => void, ms: number, keepAlive: boolean): unknown
  /**
   * Changes `keepAlive` of a running timer. Returns false if the platform cannot do so; the caller then sets a new
   * timer.
   */
  keepFor(handle: unknown, keepAlive: boolean): boolean
  clearTimeout(handle: unknown): void
  randomBytes(length: number): Uint8Array
}

/** Returns the timers and the randomness of the platform. */
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
    randomBytes: pooledBytes(),
  }
}

const POOL_BYTES = 4_096

/**
 * Returns a generator that takes small amounts from a pool, because a call of the system's generator is expensive for
 * the few bytes of an id.
 */
function pooledBytes(): Environment['randomBytes'] {
  let pool = new Uint8Array(0)
  return (length) => {
    // Keys do not use the pool.
    if (length > 16) return crypto.getRandomValues(new Uint8Array(length))
    if (pool.length < length) pool = crypto.getRandomValues(new Uint8Array(POOL_BYTES))
    const bytes = pool.slice(0, length)
    // Clears the used bytes, so that none is used twice or can be read from memory later.
    pool.fill(0, 0, length)
    pool = pool.subarray(length)
    return bytes
  }
}

function isHeld(handle: unknown): handle is { ref(): void; unref(): void } {
  return typeof handle === 'object' && handle !== null && 'ref' in handle
}

/** Waits for `work`, but for `ms` milliseconds at most. The timer is always cleared. */
export async function within(environment: Environment, ms: number, work: Promise<unknown>): Promise<void> {
  let timer: unknown
  const over = new Promise<void>((resolve) => {
    timer = environment.setTimeout(resolve, ms, true)
  })
  await Promise.race([work, over]).finally(() => environment.clearTimeout(timer))
}

/** Resolves after `ms` milliseconds, for backoff. */
export function pause(environment: Environment, ms: number): Promise<void> {
  return new Promise((resolve) => environment.setTimeout(resolve, ms, true))
}

export const environmentName = (): string | undefined => globalThis.process?.env.NODE_ENV

/**
 * Returns Node's cryptography, or undefined in a browser, where the mock server runs. A static import of `node:*` in the
 * engine would keep bundlers from loading it.
 */
export const nodeCrypto = (): typeof import('node:crypto') | undefined =>
  globalThis.process?.getBuiltinModule?.('node:crypto')

/** Returns the number of bytes of a text as UTF-8. */
export function byteLength(text: string): number {
  return typeof Buffer === 'function' ? Buffer.byteLength(text) : new TextEncoder().encode(text).length
}

export function toBase64(bytes: Uint8Array): string {
  if (typeof Buffer === 'function') return Buffer.from(bytes).toString('base64')
  // Appends one character at a time, because a function call cannot have as many arguments as a file has bytes.
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return btoa(text)
}

export function fromBase64(text: string): Uint8Array {
  if (typeof Buffer === 'function') return new Uint8Array(Buffer.from(text, 'base64'))
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
}
