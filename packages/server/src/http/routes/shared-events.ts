import { schemas } from '@holdpoint/core/protocol'
import { z } from 'zod'
import type { SessionRecord } from '../../engine/api/engine.ts'
import { type BodySink, SharedStream } from '../hub/shared-stream.ts'
import { checkBody } from '../requests/check-body.ts'
import { refuse } from '../requests/refuse.ts'
import type { Outgoing } from '../responses/http-response.ts'
import type { UserContext } from '../routing/route.ts'
import { streamsOf } from '../streams/stream-registry.ts'
import { streamHeaders } from './events.ts'

/** The maximum number of tabs that share one session of the stream. Each tab has its own client id. */
const CLIENTS = 100

const body = z.object({
  sessions: z
    .array(
      z.object({
        session: schemas.id,
        cursor: z.string().max(512).optional(),
        clients: z.array(schemas.id).max(CLIENTS),
      }),
    )
    .min(1),
})

/** `POST /sessions/events`: one stream with the events of several sessions, for tabs that share a connection. */
export async function sharedEvents(context: UserContext): Promise<Outgoing> {
  const { principal, streams, reauthenticate, tuning } = context
  const sessions = read(await context.json(), tuning.sessionsPerStream)
  const found = await Promise.allSettled(sessions.map(({ session }) => streams.readable(principal, session)))
  // If only some sessions cannot be read, the others still get their events. If all fail, the store is the likely
  // cause.
  const [first] = found
  if (first?.status === 'rejected' && found.every(({ status }) => status === 'rejected')) throw first.reason
  const wanted = sessions.reduce((sum, { clients: clientIds }) => sum + streamsOf({ clientIds }), 0)
  streams.admit(principal, wanted)
  return {
    kind: 'stream',
    headers: streamHeaders,
    open(sink) {
      const shared = new SharedStream(sink as BodySink, sessions.length)
      sessions.forEach(({ session: sessionId, cursor = null, clients: clientIds }, index) => {
        const outcome = found[index] as PromiseSettledResult<SessionRecord | null>
        if (outcome.status === 'rejected') {
          context.warn('A session of a shared stream could not be read.', { sessionId, error: outcome.reason })
          shared.refuse(sessionId)
          return
        }
        const session = outcome.value
        const request = { principal, sessionId, session, cursor, clientIds, reauthenticate, keepsPresence: true }
        shared.add(sessionId, (to) => streams.open({ ...request, sink: to }))
      })
      return shared
    },
  }
}

function read(value: unknown, most: number): z.infer<typeof body>['sessions'] {
  const { sessions } = checkBody(body, value)
  if (sessions.length > most)
    refuse('invalid_message', `One stream carries at most ${most} sessions. Open another one for the rest.`, {
      path: 'sessions',
    })
  if (new Set(sessions.map(({ session }) => session)).size < sessions.length)
    refuse('invalid_message', 'A session is listed twice. List each session once, with all of its clients.', {
      path: 'sessions',
    })
  return sessions
}
