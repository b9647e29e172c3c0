/**
 * Cuts bytes into lines, whatever chunks they come in. A line beyond `maxBytes` is handed on cut to one byte more than
 * that, so that its reader refuses it by name; the rest of it is dropped.
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
    // A copy: the chunk's memory may be used again by whoever gave it.
    keep(chunk.slice(from))
  }
}
