import type { CredentialsMode, HeadersInput } from '../dom-types.ts'
import { readJson } from '../json/read-json.ts'
import type { SendResult, TransportContext, TransportFailure } from './types.ts'

/** How the drivers that speak HTTP reach the server. */
export interface HttpOptions {
  /** The address of the server: `/holdpoint`, or a complete address on another origin. */
  url: string
  /** Called for each request, so that renewed credentials are used. */
  headers?: HeadersInput | (() => HeadersInput | Promise<HeadersInput>)
  /** Default: the client's `environment.fetch`. */
  fetch?: typeof globalThis.fetch
  /** Default `same-origin`; `include` sends cookies to another origin. */
  credentials?: CredentialsMode
}

export interface HttpInit {
  method?: 'GET' | 'POST'
  accept?: string
  body?: unknown
  raw?: Blob | Uint8Array
  contentType?: string
  signal?: AbortSignal | undefined
}

const JSON_TYPE = 'application/json'

export const sessionPath = ({ sessionId }: TransportContext, rest = '') =>
  `/sessions/${encodeURIComponent(sessionId)}${rest}`

export const inboxPath = (next: string | undefined) =>
  next === undefined ? '/inbox' : `/inbox?next=${encodeURIComponent(next)}`

/** Returns the path of the log after `cursor`. It names the client, because an open stream counts as presence. */
export function eventsPath(context: TransportContext, cursor: string | null, more?: Record<string, string>): string {
  const query = new URLSearchParams({ client: context.clientId, ...(cursor !== null && { cursor }), ...more })
  return sessionPath(context, `/events?${query}`)
}

export const resolveHeaders = async ({ headers }: HttpOptions): Promise<Headers> =>
  new Headers(typeof headers === 'function' ? await headers() : headers)

/** Sends one request below the mount point. Rejects if there is no response. */
export async function httpFetch(
  options: HttpOptions,
  { env }: TransportContext,
  path: string,
  { method = 'GET', accept = JSON_TYPE, body, raw, contentType = JSON_TYPE, signal }: HttpInit = {},
): Promise<Response> {
  const { url, fetch = env.fetch, credentials = 'same-origin' } = options
  const headers = await resolveHeaders(options)
  const sent = raw ?? JSON.stringify(body)
  headers.set('accept', accept)
  if (sent) headers.set('content-type', contentType)
  // A redirect usually leads to a login page. That page did not handle the request, even if its status is 200.
  const init = { method, headers, cache: 'no-store', credentials, redirect: 'manual', body: sent, signal }
  return fetch(url.replace(/\/+$/, '') + path, init as RequestInit)
}

export async function httpCall(
  options: HttpOptions,
  context: TransportContext,
  path: string,
  init?: HttpInit,
): Promise<SendResult> {
  const response = await httpFetch(options, context, path, init)
  const head = headOf(response, context)
  const text = await response.text()
  if (head.body || !/^application\/(?:\S+\+)?json\b/i.test(response.headers.get('content-type') ?? '')) return head
  const parsed = readJson(text)
  return { ...head, body: parsed.ok ? parsed.value : undefined }
}

/**
 * Returns the status and facts of a response before its body is read. A redirect counts as 401, also if the given
 * `fetch` followed it, because its usual cause is a middleware that redirects requests to its login page.
 */
export function headOf(response: Response, { env }: TransportContext): SendResult {
  const { status, headers, type, redirected } = response
  if (redirected || type === 'opaqueredirect' || (status >= 300 && status < 400)) {
    return { status: 401, body: { error: redirect } }
  }
  return { status, body: undefined, retryAfterMs: retryAfter(headers.get('retry-after'), env.now()) }
}

const redirect = {
  code: 'redirected',
  message: 'The server redirected the request, probably to its login page. Log in and try again.',
}

/** `Retry-After`: seconds or a date. Nonsense counts as absent. */
export function retryAfter(header: string | null, now: number): number | undefined {
  if (!header) return undefined
  if (/^\d+$/.test(header)) return Number(header) * 1000
  // Only the one form that HTTP has for dates: Date.parse finds a date in almost anything.
  const ms = /^\w{3}, .+ GMT$/.test(header) && Date.parse(header) - now
  return Number.isFinite(ms) ? Math.max(0, ms as number) : undefined
}

const codes: Partial<Record<number, TransportFailure['code']>> = {
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  429: 'rate_limited',
}

/** Returns the failure that a refused connection means for the client. */
export const statusFailure = ({
  status,
  retryAfterMs,
  body,
}: Omit<SendResult, 'body'> & { body?: unknown }): TransportFailure => ({
  code: codes[status] ?? (status < 500 ? 'protocol' : 'server'),
  message:
    (body as { error?: unknown } | undefined)?.error === redirect ? redirect.message : `The server answered ${status}.`,
  retryAfterMs,
})

export const networkFailure = (error: unknown): TransportFailure => ({
  code: 'network',
  message: `The server could not be reached: ${(error as Error | null)?.message ?? 'no reason given'}.`,
})
