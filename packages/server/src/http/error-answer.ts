import { isHoldpointError } from '@holdpoint/core'
import { type ErrorCode, errorStatus } from '@holdpoint/core/internal'

import type { Clock } from '../base/clock.ts'
import { type Answer, refusal } from './answers/http-answer.ts'
import type { HttpLogger } from './routing/options.ts'

/**
 * Makes an answer of whatever was thrown. Errors of the protocol say their own words; everything else is `internal`
 * or `store_unavailable`, with an id under which the log has the truth.
 */
export function failed(error: unknown, clock: Clock, logger: HttpLogger | undefined): Answer {
  if (isHoldpointError(error) && isErrorCode(error.code) && !hidden.has(error.code)) {
    const made = refusal(error.code, error.message, error.details)
    return error.code === 'method_not_allowed'
      ? { ...made, headers: { ...made.headers, allow: `${error.details.allow}` } }
      : made
  }
  const logId = clock.id()
  logger?.error('A request failed.', { logId, error })
  if (isHoldpointError(error) && error.code.startsWith('store_')) {
    return refusal('store_unavailable', `The store cannot be reached right now; nothing was lost. Log id ${logId}.`, {
      retryAfterMs: 2_000,
      logId,
    })
  }
  if (isHoldpointError(error, 'row_newer')) {
    return refusal('store_unavailable', `Another server must answer this one; try again. Log id ${logId}.`, {
      retryAfterMs: 2_000,
      logId,
    })
  }
  return refusal('internal', `Something failed on the server. Its log has the reason under ${logId}.`, { logId })
}

/** Codes that are in the protocol but whose text was written for the log. */
const hidden: ReadonlySet<string> = new Set<ErrorCode>(['store_unavailable', 'internal'])

const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(errorStatus, code)
