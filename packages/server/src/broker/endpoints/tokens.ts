import { jsonResponse } from '../../http/responses/http-response.ts'
import { bearerOf } from '../http/bearer.ts'
import { requireBearer } from '../http/bearer-user.ts'
import { type Endpoint, jsonOf, textIn } from '../http/call.ts'
import { refuse } from '../http/refusals.ts'
import type { Broker } from '../shared/broker.ts'
import type { RefreshResponse } from '../shared/wire.ts'

/** `POST /auth/refresh`: returns new session tokens. The refresh token is the credential. */
export const refresh: Endpoint = {
  method: 'POST',
  path: '/auth/refresh',
  withoutOrigin: true,
  async handle(call) {
    const refreshToken = textIn(await jsonOf(call), 'refresh_token', 500)
    if (!refreshToken) refuse(400, 'MISSING_REFRESH_TOKEN', 'The body must carry `refresh_token`.')
    const pair = await tokensOf(call.broker).refresh(refreshToken)
    const response: RefreshResponse = {
      token: pair.token,
      refresh_token: pair.refreshToken,
      message: 'Token refreshed successfully',
    }
    return jsonResponse(200, response)
  },
}

/**
 * `POST /auth/logout`: revokes the session's tokens at once. If the access token has expired, the refresh token is the
 * credential.
 */
export const logout: Endpoint = {
  method: 'POST',
  path: '/auth/logout',
  withoutOrigin: true,
  async handle(call) {
    const { broker } = call
    const refreshToken = textIn(await jsonOf(call), 'refresh_token', 500)
    if (refreshToken && !bearerOf(call.incoming.header('authorization')))
      await tokensOf(broker).logoutByRefreshToken(refreshToken)
    else {
      const { familyId, principal } = await requireBearer(call)
      await tokensOf(broker).logout(familyId)
      const { userId, tenant } = principal
      broker.record({ type: 'signed_out', userId, ...(tenant !== undefined && { tenant }) })
    }
    return jsonResponse(200, { message: 'Logged out successfully' })
  },
}

function tokensOf({ tokens }: Broker) {
  return tokens ?? refuse(501, 'NOT_CONFIGURED', 'The server was created without `sessionSecrets`.')
}
