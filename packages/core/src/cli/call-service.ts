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
  /** For what answers at once or not at all. */
  timeoutMs?: number
}

/** One call and its JSON, whatever the status says. Rejects with `not_reachable` when there is no answer. */
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
      `${new URL(baseUrl).host} cannot be reached. Check the network, and try again.`,
    )
  }
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
  return {
    status: response.status,
    body: await jsonOf(response),
    ...(Number.isFinite(seconds) ? { retryAfterMs: seconds * 1000 } : {}),
  }
}

/** The refusal of a service as an error; its own words are meant for people. */
export function refusal(status: number, body: Json): HoldpointError {
  const { code = body.error, message } = body
  const name = typeof code === 'string' && /^[A-Za-z_]{1,64}$/.test(code) ? code.toLowerCase() : 'request_refused'
  const said = typeof message === 'string' && message ? message : `The service answered with status ${status}.`
  // A service may have codes of its own.
  return new HoldpointError(name as HoldpointErrorCode, said, { details: { status } })
}

async function jsonOf(response: Response): Promise<Json> {
  try {
    const body: unknown = await response.json()
    return typeof body === 'object' && body !== null && !Array.isArray(body) ? (body as Json) : {}
  } catch {
    return {}
  }
}
