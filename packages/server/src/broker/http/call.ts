import { parseBody } from '@holdpoint/core/protocol'
import type { Clock } from '../../base/clock.ts'
import type { Incoming } from '../../http/requests/http-request.ts'
import type { HttpResponse } from '../../http/responses/http-response.ts'
import type { Broker } from '../shared/broker.ts'
import { refuse } from './refusals.ts'

/** One request, in the form that endpoints receive. */
export interface Call {
  broker: Broker
  clock: Clock
  /** Counts one request under a key; rejects with 429 above the limit. */
  limit(key: string): void
  incoming: Incoming
  params: Readonly<Record<string, string>>
}

/** An entry of the table of endpoints. */
export interface Endpoint {
  method: 'GET' | 'POST'
  path: string
  contentType?: string
  /** Allows a POST from a program, without Origin and without a session token. */
  withoutOrigin?: true
  handle(call: Call): Promise<HttpResponse>
}

const MAX_BYTES = 64 * 1024
const TIMEOUT_MS = 10_000

/** Reads the body as a JSON object. An empty body counts as an empty object. */
export async function jsonOf({ incoming, clock }: Call): Promise<Readonly<Record<string, unknown>>> {
  const body = await incoming.readBody({ maxBytes: MAX_BYTES, timeoutMs: TIMEOUT_MS, clock })
  if (body.length === 0) return {}
  const parsed = parseBody(body, { messageBytes: MAX_BYTES })
  if (!parsed.ok) refuse(parsed.status, parsed.body.error.code.toUpperCase(), parsed.body.error.message)
  if (!isObject(parsed.value)) refuse(400, 'INVALID_BODY', 'The body must be a JSON object.')
  return parsed.value
}

export async function formOf({ incoming, clock }: Call): Promise<URLSearchParams> {
  const body = await incoming.readBody({ maxBytes: MAX_BYTES, timeoutMs: TIMEOUT_MS, clock })
  return new URLSearchParams(typeof body === 'string' ? body : new TextDecoder().decode(body))
}

/** Returns a string within its length limit. Any other value counts as absent. */
export function textIn(source: Readonly<Record<string, unknown>>, name: string, max = 2_048): string | undefined {
  const value = source[name]
  return typeof value === 'string' && value !== '' && value.length <= max ? value : undefined
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
