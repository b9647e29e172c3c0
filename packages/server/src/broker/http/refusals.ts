import { HoldpointError, type HoldpointErrorCode } from '@holdpoint/core'
import { errorResponse, type HiddenReason, ownStatus, type ShownError } from '../../http/responses/error-response.ts'
import { type HttpResponse, jsonResponse } from '../../http/responses/http-response.ts'
import { isTokenRefusal } from '../../security/session-tokens.ts'
import type { ConnectionsError } from '../shared/wire.ts'

/** Ends a call with an error in the flat format of these endpoints. */
export function refuse(status: number, code: string, message: string, more: Partial<ConnectionsError> = {}): never {
  // The connections protocol has its own codes, which the type does not include.
  throw new HoldpointError(code as HoldpointErrorCode, message, { details: { httpStatus: status, ...more } })
}

/** Converts a thrown error to a response. Only texts that were written for clients are sent. */
export function refused(error: unknown, path: string, log: (error: unknown) => void): HttpResponse {
  const { status, body, hidden } = errorResponse<object>(error, {
    show,
    hide,
    body: path.includes('/ask') ? asked : flat,
  })
  if (hidden) log(error)
  return jsonResponse(status, body, retryAfter(status))
}

function show(error: HoldpointError, facts: Readonly<Record<string, unknown>>): ShownError | undefined {
  const { code, message } = error
  const own = ownStatus(error)
  if (own !== undefined) return { status: own, code, message, facts }
  const known = isTokenRefusal(error) ? 401 : KNOWN.get(code)
  return known === undefined ? undefined : { status: known, code: code.toUpperCase(), message }
}

function hide(reason: HiddenReason): ShownError {
  return reason === 'store'
    ? {
        status: 503,
        code: 'UNAVAILABLE',
        message: 'The server cannot reach its store right now. Try again in a moment.',
      }
    : { status: 500, code: 'INTERNAL', message: 'Something failed on the server; its log has the reason.' }
}

const KNOWN: ReadonlyMap<string, number> = new Map([
  ['invalid_json', 400],
  ['invalid_utf8', 400],
  ['too_large', 413],
  ['request_timeout', 408],
  ['confirmation_invalid', 404],
  ['confirmation_used', 409],
  ['confirmation_expired', 410],
  ['confirmation_mismatch', 409],
  ['device_flow_unsupported', 400],
  ['oauth_failed', 502],
  ['accounts_unavailable', 502],
  ['account_missing', 404],
  ['account_expired', 409],
])

/**
 * Formats an error for `/connections` and `/auth`. `error` equals `code`, unless the source protocol fixes a sentence
 * for it.
 */
const flat = ({ code, message, facts }: ShownError): ConnectionsError => ({ error: code, code, message, ...facts })

/** Formats an error for `/ask`, whose format has a status and no further fields. */
function asked(shown: ShownError) {
  const { error, code, message } = flat(shown)
  return { status: 'error', error, code, message }
}

const retryAfter = (status: number): Record<string, string> =>
  status === 429 || status === 503 ? { 'retry-after': '5' } : {}
