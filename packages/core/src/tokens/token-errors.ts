import { HoldpointError } from '../error.ts'

/** The messages never contain a service's response, because it may contain tokens. */
export const tokenErrors = {
  signedOut: () => new HoldpointError('signed_out', 'No user is signed in. Sign in first.'),
  sessionLost: () =>
    new HoldpointError(
      'session_lost',
      'The service no longer accepts this sign-in (it expired or was revoked). Sign in again.',
    ),
  refreshFailed: (why: string) =>
    new HoldpointError(
      'refresh_failed',
      `The token could not be refreshed (${why}). The sign-in is kept; try again in a moment.`,
    ),
  contended: () =>
    new HoldpointError('store_contended', 'Others kept writing the same account; nothing was changed. Try again.'),
}

/** Returns true if a service rejects the refresh token itself, in any of the formats of common libraries. */
export function isInvalidGrant(error: unknown): boolean {
  const { code, error: inner } = (error ?? {}) as { code?: unknown; error?: unknown }
  return code === 'invalid_grant' || inner === 'invalid_grant'
}

/** True when the service has answered that asking again at once is useless. */
export function isFinalAnswer(error: unknown): boolean {
  const { status } = (error ?? {}) as { status?: unknown }
  return typeof status === 'number' && status >= 400 && status < 500
}

/** The name of a failure, which cannot contain a token. */
export function nameOf(error: unknown): string {
  const { status, name } = (error ?? {}) as { status?: unknown; name?: unknown }
  if (typeof status === 'number') return `status ${status}`
  return name === 'TimeoutError' || name === 'AbortError' ? 'no answer in time' : 'no usable answer'
}
