import { HoldpointError } from '../error.ts'
import type { HoldpointErrorCode } from '../protocol/error-codes.ts'

export type Json = Readonly<Record<string, unknown>>

export interface ServiceCall {
  baseUrl: string
  path: string
  method: 'GET' | 'POST'
  body?: Json
  headers?: Readonly<Record<string, string>>
  signal?: AbortSignal | undefined
  /** For calls whose response is immediate. */
  timeoutMs?: number
}

/** Sends one call and returns its JSON, for every status. Rejects with `not_reachable` if there is no response. */
export async function callService(
  fetch: (url: string, init: RequestInit) => Promise<Response>,
  { baseUrl, path, method, body, headers, signal, timeoutMs }: ServiceCall,
): Promise<{ status: number; body: Json; retryAfterMs?: number }> {
  const signals = [...(signal ? [signal] : []), ...(timeoutMs ? [AbortSignal.timeout(timeoutMs)] : [])]
  let response: Response
  try {
    response = await fetch(`${baseUrl.replace(/\/+$/, '')}${path}`, {
      method,
      headers: { accept: 'application/json', ...(body ? { 'content-type': 'application/json' } : {}), ...headers },
      ...(body ? { body: JSON.stringify(body) } : {}),
      ...(signals.length ? { signal: AbortSignal.any(signals) } : {}),
    })
  } catch (error) {
    signal?.throwIfAborted()
    if (error instanceof HoldpointError) throw error
    throw new HoldpointError(
      'not_reachable',
      `Cannot reach ${new URL(baseUrl).host}. Check the network, and try again.`,
    )
  }
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
  return {
    status: response.status,
    body: await jsonOf(response),
    ...(Number.isFinite(seconds) ? { retryAfterMs: seconds * 1000 } : {}),
  }
}

/** A service's refusal as an error, with the service's own message for people. */
export function refusal(status: number, body: Json): HoldpointError {
  const { code = body.error, message } = body
  const name = typeof code === 'string' && /^[A-Za-z_]{1,64}$/.test(code) ? code.toLowerCase() : 'request_refused'
  const text = typeof message === 'string' && message ? message : `The service answered with status ${status}.`
  // A service may have its own codes.
  return new HoldpointError(name as HoldpointErrorCode, text, { details: { status } })
}

async function jsonOf(response: Response): Promise<Json> {
  try {
    const body: unknown = await response.json()
    return typeof body === 'object' && body !== null && !Array.isArray(body) ? (body as Json) : {}
  } catch {
    return {}
  }
}
