import type { Principal } from '../../base/principal.ts'
import { remoteAddressOf } from '../../http/requests/remote-address.ts'
import { jsonResponse } from '../../http/responses/http-response.ts'
import { safeLoopback, safeReturnTo } from '../../security/return-to.ts'
import type { SessionBearer } from '../../security/session-tokens.ts'
import { listAccounts } from '../accounts/accounts.ts'
import { type FlowRequest, startFlow } from '../flows/start-flow.ts'
import { optionalBearer, sessionOf } from '../http/bearer-user.ts'
import { type Call, type Endpoint, jsonOf, textIn } from '../http/call.ts'
import { refuse } from '../http/refusals.ts'
import { type OAuthProvider, unionScopes } from '../oauth/provider.ts'
import { createSession, type Session } from '../sessions/sessions.ts'
import type { ConnectResponse } from '../shared/wire.ts'

/** `POST /connections/connect?service=`: begins a flow for a program. */
export const connect: Endpoint = {
  method: 'POST',
  path: '/connections/connect',
  withoutOrigin: true,
  async handle(call) {
    const { broker } = call
    if (!broker.tokens) {
      refuse(501, 'NOT_CONFIGURED', 'Programs cannot connect here: the server was created without `sessionSecrets`.')
    }
    const provider = requireService(call)
    const body = await jsonOf(call)
    const asked = readOptions(call, body)
    const bearer = await optionalBearer(call)
    const given = textIn(body, 'session_id', 200)
    const known = await sessionOf(call, bearer, given)
    // Only a valid request counts toward the limit: of its session, or of its address if it has no session.
    const address = remoteAddressOf(call.incoming.toRequest()) ?? ''
    call.limit(known ? `session ${known.hash}` : `address ${address}`)
    const { sessionId, session } = known ? { sessionId: given, session: known } : await createSession(broker)
    // A token of a session that no longer exists gives no rights in the new session.
    const who = known ? await flowOwner(call, provider, bearer, session) : { signsIn: true }
    const started = await startFlow(broker, { provider, session: session.hash, polled: true, ...asked, ...who })

    const reset = !known && (given !== undefined || bearer !== null)
    const open = `Please visit the authorization URL to connect ${provider.id}`
    const response: ConnectResponse = {
      service: provider.id,
      session_id: sessionId ?? '',
      authorization_url: started.url,
      state: started.state,
      message: reset ? `New session created. ${open}` : open,
      ...(reset && { session_reset: true }),
      poll_secret: started.pollSecret ?? '',
      user_code: started.userCode,
      expires_in: Math.floor(started.expiresInMs / 1000),
      interval: Math.ceil(started.intervalMs / 1000),
    }
    return jsonResponse(200, response)
  },
}

/**
 * Determines the owner of the new account: the token's user, or the user who signs in. If the session has a user, only
 * that user may sign in.
 */
async function flowOwner(
  call: Call,
  provider: OAuthProvider,
  bearer: SessionBearer | null,
  { row }: Session,
): Promise<{ owner?: Principal; expected?: Principal; signsIn?: boolean; scopes?: string[] }> {
  const { broker } = call
  if (bearer) return { owner: bearer.principal }
  if (!row.owner) return { signsIn: true }
  // The user must sign in with the known account again, so the session id alone gives no access.
  if ((await listAccounts(broker, row.owner, provider.id)).length > 0) return { expected: row.owner, signsIn: true }
  if (broker.options.legacySessionIds) return { owner: row.owner }
  refuse(
    401,
    'TOKEN_MISSING',
    'This session already belongs to a user. Send its session token as `Authorization: Bearer <token>` to add a service.',
  )
}

export function requireService({ broker, incoming }: Call): OAuthProvider {
  const service = incoming.query.get('service')
  const provider = broker.provider(service)
  if (!provider)
    refuse(400, 'UNKNOWN_SERVICE', 'The query parameter `service` names no service that is configured here.')
  return provider
}

function readOptions({ broker }: Call, body: Readonly<Record<string, unknown>>): Partial<FlowRequest> {
  const loopbackText = textIn(body, 'loopback_redirect')
  const loopback = loopbackText === undefined ? undefined : safeLoopback(loopbackText)
  if (loopback === null) {
    refuse(400, 'INVALID_REDIRECT', '`loopback_redirect` must be http://127.0.0.1:<port>/… or http://[::1]:<port>/….')
  }
  const returnText = textIn(body, 'return_to')
  const returnTo =
    returnText === undefined ? undefined : safeReturnTo(returnText, broker.baseUrl, broker.options.allowedOrigins ?? [])
  if (returnTo === null) refuse(400, 'INVALID_REDIRECT', '`return_to` must be on an origin that is allowed here.')
  const scopes = Array.isArray(body.scopes) ? body.scopes.filter(isScope) : undefined
  const device = textIn(body, 'device', 200)
  return {
    ...(loopback && { loopback }),
    ...(returnTo && { returnTo }),
    ...(scopes?.length && { scopes: unionScopes(scopes) }),
    ...(device && { device }),
    ...(body.flow === 'device' && { deviceFlow: true }),
  }
}

const isScope = (value: unknown): value is string => typeof value === 'string' && /^[\x21-\x7e]{1,300}$/.test(value)
