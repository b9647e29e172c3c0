import { accept, type Decoded, refuse } from './result.ts'

/**
 * Decodes complete bytes. Invalid UTF-8 is rejected by name instead of being repaired.
 *
 * @example
 * const text = decodeUtf8(bytes)
 * if (!text.ok) return new Response(text.problem.message, { status: 400 })
 */
export function decodeUtf8(bytes: Uint8Array): Decoded<string> {
  try {
    return accept(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return refuse('invalid_utf8', 'Not valid UTF-8.')
  }
}

/** The text of one chunk. `damaged`: it contained bytes that are not UTF-8, now U+FFFD. */
export interface Utf8Chunk {
  text: string
  damaged: boolean
}

/**
 * Decodes a byte stream whose chunks may end inside a character. The platform's streaming decoder either hides invalid
 * bytes or throws; this one reports them and continues, so that one bad event affects only itself.
 *
 * @example
 * const decode = createUtf8Decoder()
 * decode(Uint8Array.of(0xe2, 0x82)).text // ''
 * decode(Uint8Array.of(0xac)).text // '€'
 */
export function createUtf8Decoder(): (bytes: Uint8Array) => Utf8Chunk {
  const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  const lenient = new TextDecoder('utf-8', { ignoreBOM: true })
  let carry: Uint8Array = new Uint8Array(0)
  return (chunk) => {
    const bytes = carry.length === 0 ? chunk : concat(carry, chunk)
    const end = bytes.length - openTail(bytes)
    const whole = bytes.subarray(0, end)
    carry = bytes.slice(end)
    try {
      return { text: strict.decode(whole), damaged: false }
    } catch {
      return { text: lenient.decode(whole), damaged: true }
    }
  }
}

/** Number of bytes at the end that begin a character of the next chunk. */
function openTail(bytes: Uint8Array): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] ?? 0
    if (byte < 0x80) return 0
    if (byte >= 0xc0) return (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) > back ? back : 0
  }
  return 0
}

function concat(a: Uint8Array, b: Uint8Array): Uint8Array {
  const joined = new Uint8Array(a.length + b.length)
  joined.set(a)
  joined.set(b, a.length)
  return joined
}
