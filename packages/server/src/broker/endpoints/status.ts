import { jsonResponse } from '../../http/responses/http-response.ts'
import { pollFlow } from '../flows/poll-flow.ts'
import { bearerOf } from '../http/bearer.ts'
import type { Endpoint } from '../http/call.ts'
import { refuse } from '../http/refusals.ts'
import type { StatusResponse } from '../shared/wire.ts'

/** `GET /auth/status/:state`: the result of a flow, for its starter only. */
export const status: Endpoint = {
  method: 'GET',
  path: '/auth/status/:state',
  async handle({ broker, incoming, params }) {
    const code = incoming.header('holdpoint-loopback-code')
    const polled = await pollFlow(broker, params.state ?? '', bearerOf(incoming.header('authorization')), code)
    const respond = (httpStatus: number, body: StatusResponse, headers?: Record<string, string>) =>
      jsonResponse(httpStatus, body, headers)
    switch (polled.kind) {
      case 'unknown':
        return refuse(400, 'INVALID_STATE', 'This state is unknown or expired, or its poll secret was not sent.')
      case 'pending': {
        const interval = Math.ceil(polled.intervalMs / 1000)
        return respond(200, { status: 'pending', message: 'Authorization not yet completed', interval })
      }
      case 'slow_down': {
        const interval = Math.ceil(polled.intervalMs / 1000)
        const message = `Ask less often: every ${interval} seconds from now on.`
        return respond(
          429,
          { status: 'slow_down', error: 'slow_down', code: 'slow_down', message, interval },
          { 'retry-after': String(interval) },
        )
      }
      case 'completed': {
        const { accountId, integration, pair } = polled
        return respond(200, {
          status: 'completed',
          account_id: accountId,
          ...(pair && { token: pair.token, refresh_token: pair.refreshToken }),
          message: `Authorization completed. ${integration} is connected.`,
        })
      }
      case 'denied':
        return respond(200, { status: 'denied', error: polled.error, message: 'Access was not granted.' })
      case 'failed':
        return respond(200, {
          status: 'failed',
          error: polled.error,
          message: `The connection failed (${polled.error}).`,
        })
    }
  },
}
