import { crc32 } from 'node:zlib'

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

interface Chunk {
  type: string
  data: Buffer
}

/** Joins PNG images of one size and format into an animated PNG that repeats. Each frame is shown for `shownMs`. */
export function animatedPng(frames: readonly Buffer[], shownMs: number): Buffer {
  const [first] = frames
  if (!first) throw new Error('animatedPng: needs at least one frame, got none.')
  const header = chunksOf(first).find(({ type }) => type === 'IHDR')
  if (!header) throw new Error('animatedPng: the first frame is not a PNG, because it has no IHDR chunk.')
  const width = header.data.readUInt32BE(0)
  const height = header.data.readUInt32BE(4)
  let sequence = 0
  const control = Buffer.alloc(8)
  control.writeUInt32BE(frames.length, 0)
  const parts = [SIGNATURE, encode('IHDR', header.data), encode('acTL', control)]
  frames.forEach((frame, index) => {
    const data = Buffer.alloc(26)
    data.writeUInt32BE(sequence++, 0)
    data.writeUInt32BE(width, 4)
    data.writeUInt32BE(height, 8)
    data.writeUInt16BE(shownMs, 20)
    data.writeUInt16BE(1_000, 22)
    parts.push(encode('fcTL', data))
    for (const chunk of chunksOf(frame).filter(({ type }) => type === 'IDAT')) {
      if (index === 0) parts.push(encode('IDAT', chunk.data))
      else {
        const number = Buffer.alloc(4)
        number.writeUInt32BE(sequence++)
        parts.push(encode('fdAT', Buffer.concat([number, chunk.data])))
      }
    }
  })
  return Buffer.concat([...parts, encode('IEND', Buffer.alloc(0))])
}

export function chunksOf(png: Buffer): Chunk[] {
  const found: Chunk[] = []
  for (let at = SIGNATURE.length; at < png.length; ) {
    const length = png.readUInt32BE(at)
    found.push({ type: png.toString('latin1', at + 4, at + 8), data: png.subarray(at + 8, at + 8 + length) })
    at += length + 12
  }
  return found
}

function encode(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}
