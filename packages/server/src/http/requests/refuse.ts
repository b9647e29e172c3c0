import { HoldpointError } from '@holdpoint/core'
import type { ErrorBody, ErrorCode } from '@holdpoint/core/internal'
import { noSuchSessionText } from '../../engine/access/authorize.ts'

/** Stops a request with a code of the protocol; `failed()` makes the answer of it. */
export function refuse(code: ErrorCode, message: string, details: Partial<ErrorBody['error']> = {}): never {
  throw new HoldpointError(code, message, { details })
}

export { noSuchSessionText }

/**
 * The same refusal for an unknown session and for another user's session. A different text, status or length would
 * reveal which of the two it is.
 */
export function noSuchSession(): never {
  refuse('not_found', noSuchSessionText)
}
