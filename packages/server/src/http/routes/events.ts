import { id } from '@holdpoint/core/protocol'
import type { SessionRecord } from '../engine/port.ts'
import { longPoll } from './long-poll.ts'
import type { Outgoing } from './outgoing.ts'
import { noSuchSession, refuse } from './refuse.ts'
import type { UserContext } from './route.ts'

/** `no-transform` and `x-accel-buffering` keep compressors and nginx from holding events back. */
export const streamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
  'x-content-type-options': 'nosniff',
}

/** `GET /sessions/:session/events`: a stream, or with `Accept: application/json` a long poll. */
export async function events(context: UserContext): Promise<Outgoing> {
  const { principal, incoming, query, streams, params } = context
  const session = (await streams.readable(principal, sessionOf(params))) ?? noSuchSession()
  streams.admit(principal)
  const request = {
    principal,
    session,
    // A browser that reconnects by itself repeats the first URL and adds where it has got to since.
    cursor: incoming.header('last-event-id') || query.get('cursor') || null,
    clientId: clientOf(query),
    stillSame: context.stillSame,
  }
  const accept = incoming.header('accept') ?? ''
  if (accept.includes('application/json') && !accept.includes('text/event-stream')) return longPoll(context, request)
  return {
    kind: 'stream',
    headers: streamHeaders,
    open: (sink) => streams.open({ ...request, keepsPresence: true, sink }),
  }
}

/** The session of the path, for somebody who may read it. */
export async function readableSession({ engine, principal, params }: UserContext): Promise<SessionRecord> {
  return (await engine.access(principal, sessionOf(params), 'read')) ?? noSuchSession()
}

/** The session id of the path. One that no session can have is one that does not exist. */
export function sessionOf(params: Record<string, string>): string {
  const parsed = id.safeParse(params.session)
  return parsed.success ? parsed.data : noSuchSession()
}

function clientOf(query: URLSearchParams): string | null {
  const given = query.get('client')
  if (given === null) return null
  const parsed = id.safeParse(given)
  return parsed.success
    ? parsed.data
    : refuse('invalid_message', 'The client id is empty, too long or holds control characters.', { path: 'client' })
}
