import { createHash } from 'node:crypto'
import { HoldpointError } from '@holdpoint/core'

/** JSON values; what a key, an input or a recorded result can be. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json | undefined }

/**
 * Returns one text for one value: keys sorted, `undefined` omitted as in JSON. Two requests or grant keys are equal if
 * and only if their canonical texts are.
 */
export function canonicalJson(value: unknown): string {
  const plain = JSON.stringify(value)
  if (plain === undefined) return 'null'
  return write(JSON.parse(plain))
}

function write(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(write).join(',')}]`
  if (typeof value === 'object' && value !== null) {
    // No two keys are the same.
    const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
    return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${write(item)}`).join(',')}}`
  }
  return JSON.stringify(value)
}

/** 128 bits of SHA-256 over the canonical text. */
export function digestOf(value: unknown): string {
  return createHash('sha256').update(canonicalJson(value)).digest('base64url').slice(0, 22)
}

/**
 * Returns the value as it will be read back from the store. Throws for values that JSON cannot represent, instead of
 * losing them.
 */
export function recordable(what: string, value: unknown): unknown {
  if (value === undefined) return undefined
  let text: string | undefined
  try {
    text = JSON.stringify(value)
  } catch (cause) {
    throw notRecordable(what, cause)
  }
  if (text === undefined) throw notRecordable(what)
  return JSON.parse(text)
}

function notRecordable(what: string, cause?: unknown): HoldpointError {
  return new HoldpointError(
    'not_recordable',
    `${what} cannot be written as JSON, so it could not survive a restart. Return plain data: no functions, big integers, or objects that contain themselves.`,
    { cause },
  )
}
