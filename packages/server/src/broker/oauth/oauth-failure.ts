import { HoldpointError, isHoldpointError } from '@holdpoint/core'
import {
  AuthorizationResponseError,
  OperationProcessingError,
  ResponseBodyError,
  UnsupportedOperationError,
} from 'oauth4webapi'
import type { OAuthProvider } from './provider.ts'

/**
 * An error of a service. It does not keep the library's error as its cause, because that contains the response and its
 * tokens.
 */
export class OAuthFailure extends HoldpointError {
  /** The service's own code (`access_denied`, `invalid_grant`, …), `invalid_response`, or `unreachable`. */
  readonly reason: string

  constructor(provider: OAuthProvider, reason: string, what: string) {
    super('oauth_failed', `${provider.name} ${what} (${reason}).`, { details: { integration: provider.id, reason } })
    this.reason = reason
  }
}

export function failureOf(provider: OAuthProvider, error: unknown): OAuthFailure {
  if (error instanceof OAuthFailure) return error
  if (error instanceof AuthorizationResponseError) {
    return new OAuthFailure(provider, codeOf(provider, error.error), 'did not grant access')
  }
  if (error instanceof ResponseBodyError) {
    return new OAuthFailure(provider, codeOf(provider, error.error), 'refused')
  }
  const broken =
    error instanceof OperationProcessingError && error.cause instanceof Response && error.cause.status >= 500
  if (!broken && (error instanceof OperationProcessingError || error instanceof UnsupportedOperationError)) {
    return new OAuthFailure(provider, 'invalid_response', 'sent an untrusted response')
  }
  if (isHoldpointError(error, 'url_not_allowed')) {
    return new OAuthFailure(provider, 'url_not_allowed', 'has an address that may not be called')
  }
  return new OAuthFailure(provider, 'unreachable', 'cannot be reached')
}

/** Codes appear in logs and pages, so only values in the format of a code are passed. */
function codeOf(provider: OAuthProvider, code: string): string {
  if (provider.lostGrantErrors?.includes(code)) return 'invalid_grant'
  return /^[A-Za-z0-9_]{1,64}$/.test(code) ? code : 'provider_error'
}
