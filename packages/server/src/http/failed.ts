import type { HoldpointError } from '@holdpoint/core'
import { type ErrorBody, type ErrorCode, errorStatus } from '@holdpoint/core/internal'
import type { Clock } from '../base/clock.ts'
import { errorResponse, type HiddenReason, type ShownError } from './responses/error-response.ts'
import { type HttpResponse, responseOfReply } from './responses/http-response.ts'
import type { HttpLogger } from './routing/options.ts'

/**
 * Converts a thrown error to an answer of the protocol. Every error that clients must not see becomes `internal` or
 * `store_unavailable`, with the id of its log line.
 */
export function failed(error: unknown, clock: Clock, logger: HttpLogger | undefined): HttpResponse {
  const { status, body, hidden } = errorResponse(error, {
    show,
    hide: (reason) => hide(reason, clock.id()),
    body: inError,
  })
  const { retryAfterMs, logId, allow } = body.error
  if (hidden) logger?.error('A request failed.', { logId, error })
  const made = responseOfReply({ status, body, ...(retryAfterMs !== undefined && { retryAfterMs }) })
  return body.error.code === 'method_not_allowed' ? { ...made, headers: { ...made.headers, allow: `${allow}` } } : made
}

function show({ code, message }: HoldpointError, facts: Readonly<Record<string, unknown>>): ShownError | undefined {
  return isErrorCode(code) && !hiddenCodes.has(code) ? { status: errorStatus[code], code, message, facts } : undefined
}

function hide(reason: HiddenReason, logId: string): ShownError {
  if (reason === 'other') {
    const message = `Something failed on the server. Its log has the reason under ${logId}.`
    return { status: errorStatus.internal, code: 'internal', message, facts: { logId } }
  }
  const status = errorStatus.store_unavailable
  const message = `${UNAVAILABLE[reason]} Log id ${logId}.`
  return { status, code: 'store_unavailable', message, facts: { retryAfterMs: 2_000, logId } }
}

const UNAVAILABLE = {
  store: 'The store cannot be reached right now; nothing was lost.',
  newer_row: 'Another server must answer this one; try again.',
}

const inError = ({ code, message, facts }: ShownError): ErrorBody => ({
  error: { code: code as ErrorCode, message, ...facts },
})

/** Error codes of the protocol whose messages were written for the log, so clients do not receive them. */
const hiddenCodes: ReadonlySet<string> = new Set<ErrorCode>(['store_unavailable', 'internal'])

const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(errorStatus, code)
