import { limits } from './limits.ts'
import { readJson } from './read-json.ts'
import { type Decoded, refuse } from './result.ts'

/** Limits for JSON from outside; the defaults are those of the protocol. */
export interface JsonLimits {
  /** UTF-8 bytes. */
  maxBytes?: number
  maxDepth?: number
}

/**
 * Parses JSON from outside, with limits for size and nesting, and without `__proto__` keys. Never throws.
 *
 * @example
 * const body = parseJson(await request.text(), { maxBytes: 10_000 })
 * if (!body.ok) return new Response(body.problem.message, { status: 400 })
 */
export function parseJson(text: string, options: JsonLimits = {}): Decoded<unknown> {
  const { maxBytes = limits.eventBytes, maxDepth = limits.depth } = options
  if (exceedsBytes(text, maxBytes)) return refuse('too_large', `More than ${maxBytes} bytes.`)
  const read = readJson(text)
  if (!read.ok || isPlain(read.value, maxDepth)) return read
  return whatIsWrong(read.value, maxDepth)
}

function whatIsWrong(value: unknown, maxDepth: number): Decoded<never> {
  const key = findProto(value, maxDepth, '')
  return key === undefined
    ? refuse('too_deep', `Nested more than ${maxDepth} levels deep.`)
    : refuse('forbidden_key', 'A key must not be "__proto__".', key)
}

/** Returns true if `text` needs more than `max` bytes as UTF-8. For most texts the length alone decides. */
export function exceedsBytes(text: string, max: number): boolean {
  if (text.length > max) return true
  return text.length * 3 > max && utf8Length(text) > max
}

/**
 * Returns the number of UTF-8 bytes of `text`; a lone surrogate counts as the replacement character.
 *
 * @example utf8Length('Grüße') // 7
 */
export function utf8Length(text: string): number {
  let bytes = text.length
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code < 0x80) continue
    if (code < 0x800) bytes += 1
    else if (code >= 0xd800 && code < 0xdc00 && isLowSurrogate(text.charCodeAt(i + 1))) {
      bytes += 2
      i++
    } else bytes += 2
  }
  return bytes
}

const isLowSurrogate = (code: number) => code >= 0xdc00 && code < 0xe000

/**
 * Walks the parsed value. This is cheaper than searching the text, and escapes cannot hide a key. Most values are
 * strings and numbers and need one check.
 */
function isPlain(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true
  if (levels === 0) return false
  if (Array.isArray(value)) {
    for (const item of value) if (typeof item === 'object' && !isPlain(item, levels - 1)) return false
    return true
  }
  const record = value as Record<string, unknown>
  for (const key in record) {
    if (key === '__proto__') return false
    const item = record[key]
    if (typeof item === 'object' && !isPlain(item, levels - 1)) return false
  }
  return true
}

/** The path of a `__proto__` key within the depth that `isPlain` reached. */
function findProto(value: unknown, levels: number, path: string): string | undefined {
  if (typeof value !== 'object' || value === null || levels === 0) return undefined
  const inArray = Array.isArray(value)
  for (const [key, item] of Object.entries(value)) {
    const here = inArray ? `${path}[${key}]` : path ? `${path}.${key}` : key
    if (key === '__proto__') return here
    const found = findProto(item, levels - 1, here)
    if (found !== undefined) return found
  }
  return undefined
}
