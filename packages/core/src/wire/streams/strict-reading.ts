import { type JsonLimits, parseJson } from '../../json/json.ts'
import { limits } from '../../json/limits.ts'
import { refuse } from '../../json/result.ts'
import { createUtf8Decoder } from '../../json/utf8.ts'
import type { SseReading } from './sse-reader.ts'

/**
 * Reads an untrusted stream with the rules of a server: invalid UTF-8, deep nesting and `__proto__` are rejected by
 * name, and each affects only its own event. For one stream.
 *
 * @example createSseReader(sink, { reading: strictReading() })
 */
export function strictReading({ maxBytes = limits.eventBytes, ...more }: JsonLimits = {}): SseReading {
  const utf8 = createUtf8Decoder()
  /** Invalid bytes may belong to the current event until an event ends in a chunk without invalid bytes. */
  let damaged = false
  let chunkDamaged = false
  let started = false
  return {
    decode(chunk) {
      const decoded = utf8(chunk)
      chunkDamaged = decoded.damaged
      damaged ||= chunkDamaged
      const first = !started && decoded.text !== ''
      started ||= first
      return first ? decoded.text.replace(/^\uFEFF/, '') : decoded.text
    },
    read(data) {
      const suspect = damaged && data.includes('\uFFFD')
      damaged = chunkDamaged
      return suspect ? refuse('invalid_utf8', 'An event was not valid UTF-8.') : parseJson(data, { maxBytes, ...more })
    },
  }
}
