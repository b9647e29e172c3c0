import { schemas } from '@holdpoint/core/protocol'
import { clientIdsOf } from '../requests/client-id.ts'
import { noSuchSession } from '../requests/refuse.ts'
import type { Outgoing } from '../responses/http-response.ts'
import type { UserContext } from '../routing/route.ts'
import { longPoll } from './long-poll.ts'

/** `no-transform` and `x-accel-buffering` keep compressors and nginx from holding events back. */
export const streamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
}

/** `GET /sessions/:session/events`: a stream, or with `Accept: application/json` a long poll. */
export async function events(context: UserContext): Promise<Outgoing> {
  const { principal, incoming, query, streams, params } = context
  const sessionId = sessionOf(params)
  const session = await streams.readable(principal, sessionId)
  streams.admit(principal)
  const request = {
    principal,
    sessionId,
    session,
    // An EventSource reconnects with its first URL, and sends its current position in the header `Last-Event-ID`.
    cursor: incoming.header('last-event-id') || query.get('cursor') || null,
    clientIds: clientIdsOf(query),
    reauthenticate: context.reauthenticate,
  }
  const accept = incoming.header('accept') ?? ''
  if (accept.includes('application/json') && !accept.includes('text/event-stream')) return longPoll(context, request)
  return {
    kind: 'stream',
    headers: streamHeaders,
    open: (sink) => streams.open({ ...request, keepsPresence: true, sink }),
  }
}

/** Returns the session id of the path. A malformed id is refused like a session that does not exist. */
export function sessionOf(params: Record<string, string>): string {
  const parsed = schemas.id.safeParse(params.session)
  return parsed.success ? parsed.data : noSuchSession()
}
