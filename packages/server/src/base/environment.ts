/** The timers and the randomness of the engine. Deadlines use the store's clock instead. */
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
    randomBytes: pooledBytes(),
  }
}

const POOL_BYTES = 4_096

/** Each call of the system's generator costs more than the few bytes of an id, so these are taken from a larger draw. */
function pooledBytes(): Environment['randomBytes'] {
  let pool = new Uint8Array(0)
  return (length) => {
    // Keys are drawn by themselves.
    if (length > 16) return crypto.getRandomValues(new Uint8Array(length))
    if (pool.length < length) pool = crypto.getRandomValues(new Uint8Array(POOL_BYTES))
    const bytes = pool.slice(0, length)
    // Each byte is used once and cannot be read from memory later.
    pool.fill(0, 0, length)
    pool = pool.subarray(length)
    return bytes
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
  // One character at a time: a file has more bytes than a call may have arguments.
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return btoa(text)
}

export function fromBase64(text: string): Uint8Array {
  if (typeof Buffer === 'function') return new Uint8Array(Buffer.from(text, 'base64'))
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
}
