import type { Principal } from '../../base/principal.ts'
import type { SessionBearer } from '../../security/session-tokens.ts'
import { findSession, findSessionByHash, type Session } from '../sessions/sessions.ts'
import { bearerOf } from './bearer.ts'
import type { Call } from './call.ts'
import { refuse } from './refusals.ts'

/** Who sends a session token; refused with the sources' codes otherwise. */
export async function requireBearer(call: Call): Promise<SessionBearer> {
  const token = bearerOf(call.incoming.header('authorization'))
  if (!token) refuse(401, 'TOKEN_MISSING', 'No Authorization header, or not `Bearer <token>`.')
  if (!call.broker.tokens) {
    refuse(501, 'NOT_CONFIGURED', 'This server has no session tokens: it was created without `sessionSecrets`.')
  }
  return call.broker.tokens.verify(token)
}

/** The bearer when a token was sent: a bad one is refused, none is null. */
export async function optionalBearer(call: Call): Promise<SessionBearer | null> {
  return bearerOf(call.incoming.header('authorization')) ? requireBearer(call) : null
}

/**
 * Whose connections a call is about. A session token says it. A `session_id` alone is no credential: it only counts
 * where the server opted into what the old clients send.
 */
export async function requireOwner(call: Call, sessionId: string | undefined): Promise<Principal> {
  const bearer = await optionalBearer(call)
  if (bearer) {
    if (!(await findSessionByHash(call.broker, bearer.sessionId))) sessionGone()
    return bearer.principal
  }
  const session = sessionId === undefined ? undefined : await findSession(call.broker, sessionId)
  if (session === null) sessionGone()
  const owner = call.broker.options.legacySessionIds ? session?.row.owner : undefined
  if (owner) return owner
  refuse(401, 'TOKEN_MISSING', 'No Authorization header, or not `Bearer <token>`.')
}

/** The session of a call that may begin a new one. */
export async function sessionOf(
  call: Call,
  bearer: SessionBearer | null,
  sessionId: string | undefined,
): Promise<Session | null> {
  if (bearer) return findSessionByHash(call.broker, bearer.sessionId)
  return sessionId === undefined ? null : findSession(call.broker, sessionId)
}

function sessionGone(): never {
  refuse(404, 'INVALID_SESSION_ID', 'This session_id does not exist any more. Connect your services again.', {
    error: 'Invalid session_id',
    session_reset_required: true,
  })
}
