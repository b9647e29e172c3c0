/**
 * Splits chunks of bytes into lines. A line that is longer than `maxBytes` is cut to one byte more than allowed, so
 * that its reader rejects it with `too_large`.
 */
export function createLineSplitter(onLine: (line: Uint8Array) => void, maxBytes: number): (chunk: Uint8Array) => void {
  let parts: Uint8Array[] = []
  let size = 0

  const keep = (part: Uint8Array) => {
    const room = maxBytes + 1 - size
    if (room <= 0 || part.length === 0) return
    parts.push(part.length > room ? part.subarray(0, room) : part)
    size += Math.min(part.length, room)
  }

  return (chunk) => {
    let from = 0
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
      keep(chunk.subarray(from, at))
      from = at + 1
      const line = Buffer.concat(parts)
      parts = []
      size = 0
      if (line.some((byte) => byte > 32)) onLine(line)
    }
    // Copies the rest, because the caller may reuse the chunk's memory.
    keep(chunk.slice(from))
  }
}
