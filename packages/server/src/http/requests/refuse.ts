import { HoldpointError } from '@holdpoint/core'
import type { ErrorBody, ErrorCode } from '@holdpoint/core/internal'
import { noSuchSessionText } from '../../engine/access/authorize.ts'

/** Throws an error with a code of the protocol. `failed()` converts it to an answer. */
export function refuse(code: ErrorCode, message: string, details: Partial<ErrorBody['error']> = {}): never {
  throw new HoldpointError(code, message, { details })
}

export { noSuchSessionText }

/**
 * Refuses a request for a session that does not exist or belongs to another user. Both get the same refusal, because a
 * different text, status or length would reveal whether the session exists.
 */
export function noSuchSession(): never {
  refuse('not_found', noSuchSessionText)
}
