import type { z } from 'zod'
import { isObject } from '../json/guards.ts'
import { type JsonLimits, parseJson } from '../json/json.ts'
import { limits as defaults, type Limits } from '../json/limits.ts'
import type { Decoded, WireProblemCode } from '../json/result.ts'
import { decodeUtf8 } from '../json/utf8.ts'
import { type ErrorCode, errorStatus } from './error-status.ts'
import type { ErrorBody } from './errors.ts'
import { type ChannelFrame, channelFrame } from './frames.ts'
import { type ClientMessage, clientMessage } from './messages.ts'

/** An error response: the status, and the body with the fault and its path. */
export interface ParseRefusal {
  ok: false
  status: number
  body: ErrorBody
  /** For a frame: the id for the response, if it could be read. */
  id?: string
}
export type Parsed<T> = { ok: true; value: T } | ParseRefusal

type ParseLimits = Pick<Partial<Limits>, 'messageBytes' | 'depth'>

/**
 * Reads one client message from what arrived: size, UTF-8, JSON, nesting, forbidden keys, then shape. The first fault
 * is the answer: `too_large`, `invalid_utf8`, `invalid_json`, `too_deep`, `forbidden_key`, `unknown_message`,
 * `invalid_message`. Never throws.
 *
 * @example
 * const parsed = parseClientMessage(new Uint8Array(await request.arrayBuffer()))
 * if (!parsed.ok) return Response.json(parsed.body, { status: parsed.status })
 */
export function parseClientMessage(input: Uint8Array | string, limits: ParseLimits = {}): Parsed<ClientMessage> {
  const json = parseBody(input, limits)
  return json.ok ? readMessage(json.value, '') : json
}

/** Reads one frame of WebSocket, MessagePort or NDJSON, under the same rules. */
export function parseChannelFrame(input: Uint8Array | string, limits: ParseLimits = {}): Parsed<ChannelFrame> {
  const json = parseBody(input, limits)
  if (!json.ok) return json
  const { value } = json
  if (isObject(value) && isObject(value.message) && typeof value.id === 'string') {
    const message = readMessage(value.message, 'message')
    if (!message.ok) return { ...message, id: value.id }
  }
  const frame = channelFrame.safeParse(value)
  if (frame.success) return { ok: true, value: frame.data }
  const refusal = shapeRefusal('invalid_message', 'frame', frame.error, '')
  return isObject(value) && typeof value.id === 'string' ? { ...refusal, id: value.id } : refusal
}

/** Reads any JSON body within the limits; its shape is the caller's. */
export function parseBody(input: Uint8Array | string, limits: ParseLimits = {}): Parsed<unknown> {
  const { messageBytes = defaults.messageBytes, depth = defaults.depth } = limits
  if (typeof input !== 'string' && input.byteLength > messageBytes) {
    return refusal('too_large', `More than ${messageBytes} bytes. ${remedies.too_large}`)
  }
  const bounds: JsonLimits = { maxBytes: messageBytes, maxDepth: depth }
  const text: Decoded<string> = typeof input === 'string' ? { ok: true, value: input } : decodeUtf8(input)
  const json = text.ok ? parseJson(text.value, bounds) : text
  if (json.ok) return json
  const { code, message, path } = json.problem
  const remedy = remedies[code]
  return refusal(isErrorCode(code) ? code : 'invalid_message', remedy ? `${message} ${remedy}` : message, path)
}

/** The remedy for each fault. Only servers include it, to keep the code in browsers small. */
const remedies: Partial<Record<WireProblemCode, string>> = {
  too_large: 'Send a smaller body, or raise the limit of the server.',
  invalid_utf8: 'Encode the body as UTF-8.',
  invalid_json: 'Send one JSON value, as JSON.stringify writes it.',
  too_deep: 'Flatten it, or send the inner part as text.',
  forbidden_key: 'Rename that key, or leave it out.',
}

/** `1e400` is read as Infinity and would be written as null: what breaks a rule is refused, never repaired. */
function findInfinite(value: unknown, path: string): string | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : path
  if (typeof value !== 'object' || value === null) return undefined
  for (const [key, item] of Object.entries(value)) {
    const found = findInfinite(item, Array.isArray(value) ? `${path}[${key}]` : under(path, key))
    if (found !== undefined) return found
  }
  return undefined
}

function readMessage(value: unknown, path: string): Parsed<ClientMessage> {
  const type = isObject(value) ? value.type : undefined
  if (typeof type === 'string' && !messageTypes.has(type)) {
    return refusal(
      'unknown_message',
      'This server does not know messages of this type. Is it spelled right, and is the server as new as the client?',
      under(path, 'type'),
    )
  }
  const infinite = findInfinite(value, path)
  if (infinite !== undefined) {
    return refusal('invalid_message', `The number at ${infinite} is too large to be read. Send it as text.`, infinite)
  }
  const message = clientMessage.safeParse(value)
  if (message.success) return { ok: true, value: message.data }
  return shapeRefusal('invalid_message', 'message', message.error, path)
}

const messageTypes: ReadonlySet<string> = new Set(clientMessage.options.map((option) => option.shape.type.value))

const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(errorStatus, code)

function shapeRefusal(code: ErrorCode, what: string, error: z.ZodError, base: string): ParseRefusal {
  const issue = error.issues[0]
  const path = issuePath(issue?.path ?? [], base)
  return refusal(code, `The ${what} is malformed at ${path || 'its root'}: ${issue?.message ?? 'wrong shape'}.`, path)
}

const issuePath = (path: readonly PropertyKey[], base: string) =>
  path.reduce<string>((at, key) => (typeof key === 'number' ? `${at}[${key}]` : under(at, String(key))), base)

const under = (path: string, key: string) => (path === '' ? key : `${path}.${key}`)

const refusal = (code: ErrorCode, message: string, path?: string): ParseRefusal => ({
  ok: false,
  status: errorStatus[code],
  body: { error: { code, message, ...(path === undefined ? {} : { path }) } },
})
