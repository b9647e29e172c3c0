import type { Principal } from '../../base/principal.ts'
import type { SessionBearer } from '../../security/session-tokens.ts'
import { findSession, findSessionByHash, type Session } from '../sessions/sessions.ts'
import { bearerOf } from './bearer.ts'
import type { Call } from './call.ts'
import { refuse } from './refusals.ts'

/** Returns the user of the session token. Rejects with the codes of the source protocol if there is no valid one. */
export async function requireBearer(call: Call): Promise<SessionBearer> {
  const token = bearerOf(call.incoming.header('authorization'))
  if (!token) refuse(401, 'TOKEN_MISSING', 'No Authorization header, or not `Bearer <token>`.')
  if (!call.broker.tokens) {
    refuse(501, 'NOT_CONFIGURED', 'This server has no session tokens: it was created without `sessionSecrets`.')
  }
  return call.broker.tokens.verify(token)
}

/** Returns the user of the session token, or null without a token. Rejects if the token is invalid. */
export async function optionalBearer(call: Call): Promise<SessionBearer | null> {
  return bearerOf(call.incoming.header('authorization')) ? requireBearer(call) : null
}

/**
 * Returns the user whose accounts a call concerns. A session token identifies the user. A `session_id` alone is not a
 * credential, unless the server accepts it for old clients.
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

/** Returns the session of a call, or null if the call must begin a new one. */
export async function sessionOf(
  call: Call,
  bearer: SessionBearer | null,
  sessionId: string | undefined,
): Promise<Session | null> {
  if (bearer) return findSessionByHash(call.broker, bearer.sessionId)
  return sessionId === undefined ? null : findSession(call.broker, sessionId)
}

function sessionGone(): never {
  refuse(404, 'INVALID_SESSION_ID', 'This session_id no longer exists. Connect your services again.', {
    error: 'Invalid session_id',
    session_reset_required: true,
  })
}
