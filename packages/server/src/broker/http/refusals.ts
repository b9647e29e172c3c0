import { HoldpointError, type HoldpointErrorCode, isHoldpointError } from '@holdpoint/core'
import { type Answer, answer } from '../../http/answers/http-answer.ts'
import { isTokenRefusal } from '../../security/session-tokens.ts'
import type { ConnectionsError } from '../shared/wire.ts'

/** Ends a call with an error in the flat format of these endpoints. */
export function refuse(status: number, code: string, message: string, more: Partial<ConnectionsError> = {}): never {
  // The connections protocol has codes of its own.
  throw new HoldpointError(code as HoldpointErrorCode, message, { details: { httpStatus: status, ...more } })
}

/** Converts a thrown error to a response. Only texts that were written for clients are sent. */
export function refused(error: unknown, path: string, log: (error: unknown) => void): Answer {
  const { status, body } = describe(error, log)
  if (!path.includes('/ask')) return answer(status, body, retryAfter(status))
  const { error: name, code, message } = body
  return answer(status, { status: 'error', error: name, code, message }, retryAfter(status))
}

function describe(error: unknown, log: (error: unknown) => void): { status: number; body: ConnectionsError } {
  if (isHoldpointError(error)) {
    const { httpStatus, ...more } = error.details
    if (typeof httpStatus === 'number') return { status: httpStatus, body: flat(error.code, error.message, more) }
    if (isTokenRefusal(error)) return { status: 401, body: flat(error.code.toUpperCase(), error.message) }
    const known = KNOWN[error.code]
    if (known) return { status: known, body: flat(error.code.toUpperCase(), error.message) }
    if (error.code.startsWith('store_')) {
      log(error)
      return {
        status: 503,
        body: flat('UNAVAILABLE', 'The server cannot reach its store right now. Try again in a moment.'),
      }
    }
  }
  log(error)
  return { status: 500, body: flat('INTERNAL', 'Something failed on the server; its log has the reason.') }
}

const KNOWN: Readonly<Record<string, number>> = {
  invalid_json: 400,
  invalid_utf8: 400,
  too_large: 413,
  request_timeout: 408,
  confirmation_invalid: 404,
  confirmation_used: 409,
  confirmation_expired: 410,
  confirmation_mismatch: 409,
  device_flow_unsupported: 400,
  oauth_failed: 502,
  accounts_unavailable: 502,
  account_missing: 404,
  account_expired: 409,
}

/** `error` and `code` are the same, except where the sources have a sentence. */
function flat(code: string, message: string, more: Record<string, unknown> = {}): ConnectionsError {
  return { error: code, code, message, ...more }
}

const retryAfter = (status: number): Record<string, string> =>
  status === 429 || status === 503 ? { 'retry-after': '5' } : {}
