import { HoldpointError, type HoldpointErrorCode } from '@holdpoint/core'
import { parseBody } from '@holdpoint/core/protocol'
import { systemClock } from '../../base/clock.ts'
import { errorFacts, type Logger } from '../../base/logger.ts'
import { fromRequest } from '../../http/requests/from-request.ts'
import { errorResponse, ownStatus, type ShownError } from '../../http/responses/error-response.ts'

const always = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' }
const BODY_MS = 10_000

export function json(status: number, body: unknown, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { ...always, 'content-type': 'application/json', ...headers },
  })
}

/** Throws an error for a request. `failed` converts it to a response. */
export function refuse(
  httpStatus: number,
  code: HoldpointErrorCode,
  message: string,
  details: Record<string, unknown> = {},
): never {
  throw refusal(httpStatus, code, message, details)
}

export function refusal(
  httpStatus: number,
  code: HoldpointErrorCode,
  message: string,
  details: Record<string, unknown> = {},
) {
  return new HoldpointError(code, message, { details: { ...details, httpStatus } })
}

/** Converts a thrown error to a response. The message is included only if it was written for the caller. */
export function failed(error: unknown, logger: Logger): Response {
  const { status, body, hidden } = errorResponse(error, { show, hide, body: inError })
  if (hidden) logger.error('A request about a remote agent failed.', errorFacts(error))
  return json(status, body)
}

function show(error: HoldpointError, facts: Readonly<Record<string, unknown>>): ShownError | undefined {
  const { code, message, details } = error
  const status = details.httpStatus === undefined ? STATUSES.get(code) : ownStatus(error)
  return status === undefined ? undefined : { status, code, message, facts }
}

const hide = (): ShownError => ({ status: 500, code: 'internal', message: 'Something failed on the server.' })

const inError = ({ code, message, facts }: ShownError) => ({ error: { code, message, ...facts } })

/** The statuses for errors of the modules that these handlers use. */
const STATUSES: ReadonlyMap<string, number> = new Map([
  ['not_authenticated', 401],
  ['origin_not_allowed', 403],
  ['host_not_allowed', 403],
  ['session_owner_mismatch', 404],
  ['request_timeout', 408],
  ['too_large', 413],
  ['store_unavailable', 503],
])

/** Reads the body, limited in size and time. */
export async function bytesOf(request: Request, maxBytes: number): Promise<Uint8Array | string> {
  return await fromRequest(request).readBody({ maxBytes, timeoutMs: BODY_MS, clock: systemClock() })
}

/** Reads the body as JSON. Rejects a body that is not declared as JSON. */
export async function jsonOf(request: Request, maxBytes: number): Promise<unknown> {
  const type = request.headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase()
  if (type !== 'application/json') {
    refuse(415, 'unsupported_media_type', 'The body must be application/json, and be declared as that.')
  }
  const parsed = parseBody(await bytesOf(request, maxBytes), { messageBytes: maxBytes })
  if (parsed.ok) return parsed.value
  const { code, message } = parsed.body.error
  return refuse(parsed.status, code as HoldpointErrorCode, message)
}

export const bearerOf = (request: Request): string | null =>
  /^bearer +(\S+) *$/i.exec(request.headers.get('authorization') ?? '')?.[1] ?? null
