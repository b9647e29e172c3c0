/** Bytes of memory that is not shared. The name keeps declarations readable by TypeScript before 5.7, where `Uint8Array` has no parameter. */
export type Bytes = ReturnType<typeof Uint8Array.of>

/** UTF-8. A Buffer where there is one: sockets take it as it is, a bare Uint8Array they would wrap for each write. */
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
