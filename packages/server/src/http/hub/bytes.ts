/**
 * A `Uint8Array` over memory that is not shared. The alias keeps declarations valid in TypeScript before 5.7, where
 * `Uint8Array` has no type parameter.
 */
export type Bytes = ReturnType<typeof Uint8Array.of>

/**
 * Encodes text as UTF-8. Returns a Buffer where the runtime has one, because sockets would wrap a plain Uint8Array on
 * each write.
 */
export function toBytes(text: string): Bytes {
  return typeof Buffer === 'function' ? Buffer.from(text) : new TextEncoder().encode(text)
}

export function joinBytes(parts: readonly Bytes[]): Bytes {
  if (typeof Buffer === 'function') return Buffer.concat(parts)
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let end = 0
  for (const part of parts) {
    all.set(part, end)
    end += part.length
  }
  return all
}
