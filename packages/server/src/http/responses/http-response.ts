import { type ErrorBody, type ErrorCode, errorStatus } from '@holdpoint/core/internal'
import type { Reply } from '../../engine/api/engine.ts'
import type { Sink } from '../hub/sink.ts'
import type { OpenedStream } from '../hub/subscriber.ts'

/** A complete response: a status, headers, and JSON text or no body. */
export interface HttpResponse {
  kind: 'answer'
  status: number
  /** JSON text; empty for none. */
  body: string
  headers: Record<string, string>
}

/** A stream of events. The channel opens it with its own sink. */
export interface EventStream {
  kind: 'stream'
  open(sink: Sink): OpenedStream
  headers: Record<string, string>
}

/** The answer of a route, before a framework's adapter writes it: a complete response, or a stream of events. */
export type Outgoing = HttpResponse | EventStream

/** Headers of every answer: no cache may store data of a session, and no client may guess another content type. */
const always = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
}

export function jsonResponse(status: number, body: unknown, headers: Record<string, string> = {}): HttpResponse {
  return jsonTextResponse(status, JSON.stringify(body), headers)
}

/** The same as `answer`, for a body that is already JSON text. */
export function jsonTextResponse(status: number, body: string, headers: Record<string, string> = {}): HttpResponse {
  return { kind: 'answer', status, body, headers: { ...always, 'content-type': 'application/json', ...headers } }
}

export function emptyResponse(status: number, headers: Record<string, string> = {}): HttpResponse {
  return { kind: 'answer', status, body: '', headers: { ...always, ...headers } }
}

/** Converts a result of the engine to an answer. `Retry-After` counts whole seconds and is never too early. */
export function responseOfReply({ status, body, retryAfterMs }: Reply): HttpResponse {
  if (retryAfterMs === undefined) return jsonResponse(status, body)
  const headers = { 'retry-after': String(Math.max(1, Math.ceil(retryAfterMs / 1000))) }
  // Channels without headers, such as a WebSocket, read the delay from the body.
  return jsonResponse(status, hasError(body) ? { ...body, error: { ...body.error, retryAfterMs } } : body, headers)
}

function hasError(body: unknown): body is { error: object } {
  return typeof body === 'object' && body !== null && 'error' in body && typeof body.error === 'object'
}

export function refusal(code: ErrorCode, message: string, more: Partial<ErrorBody['error']> = {}): HttpResponse {
  return responseOfReply({
    status: errorStatus[code],
    body: { error: { code, message, ...more } },
    ...(more.retryAfterMs === undefined ? {} : { retryAfterMs: more.retryAfterMs }),
  })
}
