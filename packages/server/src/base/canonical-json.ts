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
  const plain = jsonCopy(value)
  return plain === undefined ? 'null' : write(plain)
}

/** The characters that JSON escapes. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what JSON escapes
const escapes = /["\\\u0000-\u001f\ud800-\udfff]/

function write(value: unknown): string {
  if (typeof value === 'string') return escapes.test(value) ? JSON.stringify(value) : `"${value}"`
  if (typeof value !== 'object' || value === null) return String(value)
  if (Array.isArray(value)) return `[${value.map(write).join(',')}]`
  const object = value as Readonly<Record<string, unknown>>
  // Keys are unique, so the comparison never returns 0.
  const keys = Object.keys(object).sort((a, b) => (a < b ? -1 : 1))
  return `{${keys.map((key) => `${write(key)}:${write(object[key])}`).join(',')}}`
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
