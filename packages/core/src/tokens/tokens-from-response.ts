import type { TokenSet } from './types.ts'

/**
 * Converts a token endpoint's response to a token set. The lifetime counts from now by this machine's clock, from
 * `expires_in` or from the difference of a JWT's `exp` and `iat`, so that a wrong clock on either side has no effect.
 *
 * @example const tokens = tokensFromResponse(await response.json(), Date.now())
 */
export function tokensFromResponse(answer: unknown, now: number): TokenSet {
  const { access_token, token, refresh_token, expires_in, scope } = (answer ?? {}) as Record<string, unknown>
  const accessToken = access_token ?? token
  if (typeof accessToken !== 'string' || !accessToken) throw new TypeError('The answer carries no token.')
  const seconds = Number(expires_in ?? jwtLifetime(accessToken))
  return {
    accessToken,
    obtainedAt: now,
    ...(typeof refresh_token === 'string' ? { refreshToken: refresh_token } : {}),
    ...(Number.isFinite(seconds) ? { expiresAt: now + seconds * 1000 } : {}),
    ...(typeof scope === 'string' ? { scopes: scope.split(' ').filter(Boolean) } : {}),
  }
}

/** Read, not verified: that is for the service that takes the token. */
function jwtLifetime(token: string): number | undefined {
  try {
    const payload = atob((token.split('.')[1] ?? '').replace(/-/g, '+').replace(/_/g, '/'))
    const { exp, iat } = JSON.parse(payload) as { exp?: unknown; iat?: unknown }
    return typeof exp === 'number' && typeof iat === 'number' ? exp - iat : undefined
  } catch {
    return undefined
  }
}
