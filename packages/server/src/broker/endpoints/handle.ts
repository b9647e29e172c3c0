import type { Clock } from '../../base/clock.ts'
import { errorFacts } from '../../base/logger.ts'
import { type GuardRules, hostAllowed, hostsByDefault, needsCors, originAllowed } from '../../http/guard/guard.ts'
import { RateLimiter } from '../../http/guard/rate-limit.ts'
import type { Incoming } from '../../http/requests/http-request.ts'
import { corsHeaders, preflight } from '../../http/responses/cors.ts'
import type { HttpResponse } from '../../http/responses/http-response.ts'
import { matchRoutes, splitPattern } from '../../http/routing/match-route.ts'
import { bearerOf } from '../http/bearer.ts'
import { refuse, refused } from '../http/refusals.ts'
import type { Broker } from '../shared/broker.ts'
import { endpoints } from './endpoints.ts'

/** Creates the handler of all endpoints. It checks Host and Origin before it calls the endpoint. */
export function createHandler(broker: Broker, clock: Clock) {
  const { allowedOrigins = [], allowedHosts, connectLimit } = broker.options
  const { origin, hostname } = new URL(broker.baseUrl)
  const rules: GuardRules = {
    allowedOrigins: [...allowedOrigins, origin],
    allowedHosts: allowedHosts ?? hostsByDefault(broker.options.development),
    ownHost: hostname,
  }
  const table = endpoints.map((endpoint) => ({ ...endpoint, pattern: splitPattern(endpoint.path) }))
  const limiter = new RateLimiter(connectLimit ?? { burst: 60, perSecond: 2 }, clock)

  const answered = async (incoming: Incoming, cors: boolean): Promise<HttpResponse> => {
    const matches = matchRoutes(table, incoming.path)
    if (matches.length === 0) refuse(404, 'NOT_FOUND', 'There is no endpoint at this path.')
    if (incoming.method === 'OPTIONS' && cors) return preflight(incoming)
    const match = matches.find(({ route }) => route.method === incoming.method)
    if (!match) refuse(405, 'METHOD_NOT_ALLOWED', 'This path does not take this method.')
    const { route, params } = match
    const from = provenance(incoming)
    if (!hostAllowed(from.host, rules)) refuse(403, 'HOST_NOT_ALLOWED', 'This server does not answer under this Host.')
    if (!originAllowed(from, rules, route.withoutOrigin)) {
      refuse(403, 'ORIGIN_NOT_ALLOWED', 'Pages of this origin may not use this server.')
    }
    if (route.method === 'POST') checkType(incoming, route.contentType ?? 'application/json')
    const limit = (key: string) => {
      if (limiter.take(key) > 0) refuse(429, 'RATE_LIMITED', 'Too many accounts are being connected. Wait a little.')
    }
    return route.handle({ broker, clock, incoming, params, limit })
  }

  return async (incoming: Incoming): Promise<HttpResponse> => {
    const cors = needsCors(provenance(incoming), rules)
    const made = await answered(incoming, cors).catch((error: unknown) =>
      refused(error, incoming.path, (reason) =>
        broker.logger.error('A request to the account broker failed.', { ...errorFacts(reason) }),
      ),
    )
    return cors ? { ...made, headers: { ...made.headers, ...corsHeaders(incoming.header('origin') ?? '') } } : made
  }
}

function provenance(incoming: Incoming) {
  return {
    method: incoming.method,
    host: incoming.header('host'),
    origin: incoming.header('origin'),
    site: incoming.header('sec-fetch-site'),
    bearer: bearerOf(incoming.header('authorization')) !== null,
  }
}

/**
 * Rejects other content types, because forms on foreign pages can post `text/plain` without a preflight request.
 * Programs may omit the type if there is no body.
 */
function checkType(incoming: Incoming, expected: string): void {
  const given = incoming.header('content-type')?.split(';', 1)[0]?.trim().toLowerCase()
  if (given === undefined && !incoming.header('origin') && Number(incoming.header('content-length') ?? 0) === 0) return
  if (given !== expected)
    refuse(415, 'UNSUPPORTED_MEDIA_TYPE', `The body must be ${expected}, and be declared as that.`)
}
