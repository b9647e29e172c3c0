import { refuse } from '../shared/respond.ts'

/**
 * Returns the CORS headers for an allowed page. They do not allow credentials, because a token opens the stream, and
 * not a cookie that a browser adds by itself.
 */
export function corsHeaders(origin: string): Record<string, string> {
  return { 'access-control-allow-origin': origin, 'access-control-expose-headers': 'retry-after', vary: 'origin' }
}

/** Returns the CORS headers for this request, or none if it has no Origin. Rejects an Origin that is not allowed. */
export function corsOf(request: Request, allowedOrigins: readonly string[]): Record<string, string> {
  const origin = request.headers.get('origin')
  if (origin === null) return {}
  if (!allowedOrigins.includes(origin)) {
    refuse(
      403,
      'origin_not_allowed',
      'Pages of this origin may not use this agent. If it is yours, add it to allowedOrigins.',
    )
  }
  return corsHeaders(origin)
}

export function preflight(cors: Record<string, string>): Response {
  return new Response(null, {
    status: 204,
    headers: {
      ...cors,
      'access-control-allow-methods': 'GET, POST, DELETE',
      'access-control-allow-headers': 'authorization, content-type, last-event-id',
      'access-control-max-age': '600',
    },
  })
}
