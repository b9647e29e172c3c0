import type { Incoming } from '../requests/http-request.ts'
import { emptyResponse, type HttpResponse } from './http-response.ts'

/** Returns the CORS headers for an Origin that `allowedOrigins` lists. */
export function corsHeaders(origin: string): Record<string, string> {
  return {
    'access-control-allow-origin': origin,
    'access-control-allow-credentials': 'true',
    'access-control-expose-headers': 'retry-after',
    vary: 'origin',
  }
}

/** Returns the response to a preflight request. The caller has decided whether the Origin is allowed. */
export function preflight(incoming: Incoming): HttpResponse {
  return emptyResponse(204, {
    'access-control-allow-methods': 'GET, POST',
    'access-control-allow-headers': incoming.header('access-control-request-headers') ?? '',
    'access-control-max-age': '600',
  })
}
