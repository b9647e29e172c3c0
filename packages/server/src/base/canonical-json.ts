import { HoldpointError } from '@holdpoint/core'
import type { InteractionRequestEvent } from '@holdpoint/core/internal'
import { shownDigest } from '@holdpoint/core/wire'
import { nodeCrypto } from './environment.ts'
import { jsonCopy } from './json-copy.ts'

/** A JSON value, the type of keys, inputs and recorded results. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json | undefined }

/**
 * Returns a text that is the same for equal values: keys are sorted, and `undefined` is omitted as in JSON. Two
 * requests or approval keys are equal if and only if their canonical texts are equal.
 */
export function canonicalJson(value: unknown): string {
  const text = write(value, 0)
  if (text !== unusual) return text ?? 'null'
  const plain = jsonCopy(value)
  return plain === undefined ? 'null' : String(write(plain, Number.NEGATIVE_INFINITY))
}

/** The characters that JSON escapes. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what JSON escapes
const escapes = /["\\\u0000-\u001f\ud800-\udfff]/

/** Deeper values are left to JSON itself, which also notices a value that contains itself. */
const DEEPEST = 100

/** Stands for a value that only JSON itself treats correctly: one with a `toJSON`, of a class, or too deep. */
const unusual = Symbol('unusual')

/** The canonical text of plain data, without a copy of it. Undefined for what JSON leaves out. */
function write(value: unknown, depth: number): string | typeof unusual | undefined {
  switch (typeof value) {
    case 'string':
      return quoted(value)
    case 'number':
      return Number.isFinite(value) ? String(value) : 'null'
    case 'boolean':
      return String(value)
    case 'object':
      break
    case 'undefined':
      return undefined
    default:
      return unusual
  }
  if (value === null) return 'null'
  if (depth === DEEPEST || typeof (value as { toJSON?: unknown }).toJSON === 'function') return unusual
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype === Array.prototype) return writeArray(value as readonly unknown[], depth + 1)
  return prototype === Object.prototype || prototype === null
    ? writeObject(value as Readonly<Record<string, unknown>>, depth + 1)
    : unusual
}

const quoted = (text: string) => (escapes.test(text) ? JSON.stringify(text) : `"${text}"`)

function writeArray(items: readonly unknown[], depth: number): string | typeof unusual {
  let text = '['
  for (let index = 0; index < items.length; index++) {
    const item = write(items[index], depth)
    if (item === unusual) return unusual
    text += index === 0 ? (item ?? 'null') : `,${item ?? 'null'}`
  }
  return `${text}]`
}

function writeObject(object: Readonly<Record<string, unknown>>, depth: number): string | typeof unusual {
  let text = '{'
  // In the order of UTF-16 code units, which is the one of `sort` without a function.
  for (const key of Object.keys(object).sort()) {
    const item = write(object[key], depth)
    if (item === unusual) return unusual
    if (item !== undefined) text += text === '{' ? `${quoted(key)}:${item}` : `,${quoted(key)}:${item}`
  }
  return `${text}}`
}

/**
 * Returns the same digest as `shownDigest` of `@holdpoint/core/wire`. That function runs in browsers, which have no
 * synchronous SHA-256. Here the platform computes it, which is much faster.
 */
export function digestOfShown(request: unknown): string {
  const hash = nodeCrypto()?.hash
  // Uses the one-shot `hash`: creating a Hash object would cost twice as much as the digest of a few hundred bytes.
  return hash ? hash('sha256', canonicalJson(request), 'base64url') : shownDigest(request as InteractionRequestEvent)
}

/** Returns 128 bits of SHA-256 over the canonical text. */
export const digestOf = (value: unknown): string => digestOfShown(value).slice(0, 22)

/**
 * Returns the value as the store will return it. Throws for values that JSON cannot represent, so that none is lost.
 */
export function recordable(what: string, value: unknown): unknown {
  if (value === undefined) return undefined
  let copied: unknown
  try {
    copied = jsonCopy(value)
  } catch (cause) {
    throw notRecordable(what, cause)
  }
  if (copied === undefined) throw notRecordable(what)
  return copied
}

function notRecordable(what: string, cause?: unknown): HoldpointError {
  return new HoldpointError(
    'not_recordable',
    `${what} cannot be written as JSON, so it could not survive a restart. Return plain data: no functions, big integers, or objects that contain themselves.`,
    { cause },
  )
}
