import { browserEnvironment } from '../client/api/environment.ts'
import type { ClientEnvironment } from '../client/api/types.ts'
import { HoldpointError, isHoldpointError } from '../error.ts'
import { createTokenManager } from '../tokens/token-manager.ts'
import { tokensFromResponse } from '../tokens/tokens-from-response.ts'
import type { TokenManager } from '../tokens/types.ts'
import { askResponse } from './ask-response.ts'
import { callService, type Json, refusal, type ServiceCall } from './call-service.ts'
import { pollFlow } from './poll-flow.ts'
import type {
  AccountsClient,
  AccountsClientOptions,
  AskResponse,
  Connected,
  ConnectOptions,
  IntegrationState,
} from './types.ts'

const POLL_MS = 3_000
const EXPIRES_MS = 600_000

/**
 * The client for connected accounts: connects services, lists and disconnects them, asks, and stays signed in.
 *
 * @example
 * const folder = join(homedir(), '.config', 'notes')
 * const accounts = createAccountsClient({
 *   baseUrl: 'https://api.example.com',
 *   store: fileTokenStore({ folder }),
 *   lock: fileLock({ folder }),
 * })
 * await accounts.connect('jira', { onUrl: (url) => openBrowser(url) })
 * const response = await accounts.ask('Which tickets are mine?')
 */
export function createAccountsClient(options: AccountsClientOptions): AccountsClient {
  const { baseUrl, device, legacySessionId = false, store, lock, account } = options
  const env: ClientEnvironment = { ...browserEnvironment(), ...options.environment }
  const tokens = createTokenManager({
    ...(store ? { store } : {}),
    ...(lock ? { lock } : {}),
    ...(account ? { account } : {}),
    origins: [originOf(baseUrl)],
    environment: env,
    async refresh(current, { signal }) {
      const body = { refresh_token: current?.refreshToken ?? '' }
      const answer = await callService(env.fetch, { baseUrl, path: '/auth/refresh', method: 'POST', body, signal })
      if (answer.status === 200) return tokensFromResponse(answer.body, env.now())
      const refused = answer.status === 400 || answer.status === 401
      throw Object.assign(new Error('The refresh was refused.'), {
        status: answer.status,
        ...(refused ? { code: 'invalid_grant' } : {}),
      })
    },
  })

  const call = (rest: Omit<ServiceCall, 'baseUrl'>) => callService(env.fetch, { baseUrl, ...rest })
  const signedCall = async (rest: Omit<ServiceCall, 'baseUrl'>): Promise<Json> => {
    const answer = await callService(tokens.fetch, { baseUrl, ...rest })
    return unwrap(answer)
  }

  /** The body of a response, or its error. A session that the service lost is dropped here too. */
  async function unwrap({ status, body }: { status: number; body: Json }): Promise<Json> {
    if (body.session_reset_required === true) {
      await forgetSession(tokens)
      throw new HoldpointError(
        'session_reset_required',
        'The service has lost this session and its accounts. Connect your services again.',
      )
    }
    if (status >= 200 && status < 300) return body
    throw refusal(status, body)
  }

  /** Sends the token if there is one; otherwise, for legacy services, the session id. */
  async function ownCall(
    path: string,
    method: 'GET' | 'POST',
    body: Json | undefined,
    signal: AbortSignal | undefined,
  ): Promise<Json> {
    const sessionId = (await tokens.data()).session_id
    const withId = method === 'POST' ? { body: { ...body, ...(sessionId ? { session_id: sessionId } : {}) } } : {}
    try {
      return await signedCall({ path, method, ...withId, signal })
    } catch (error) {
      if (!legacySessionId || !sessionId || !isSignedOut(error)) throw error
      const query = method === 'GET' ? `${path}?session_id=${encodeURIComponent(sessionId)}` : path
      return unwrap(await call({ path: query, method, ...withId, signal }))
    }
  }

  async function startFlow(
    service: string,
    { scopes, flow, signal }: ConnectOptions,
  ): Promise<{ body: Json; signedIn: boolean }> {
    const sessionId = (await tokens.data()).session_id
    const path = `/connections/connect?service=${encodeURIComponent(service)}`
    const body = {
      ...(sessionId ? { session_id: sessionId } : {}),
      ...(scopes ? { scopes } : {}),
      ...(flow ? { flow } : {}),
      ...(device ? { device } : {}),
    }
    try {
      return { body: await signedCall({ path, method: 'POST', body, signal }), signedIn: true }
    } catch (error) {
      if (!isSignedOut(error)) throw error
      return { body: await unwrap(await call({ path, method: 'POST', body, signal })), signedIn: false }
    }
  }

  async function connect(service: string, asked: ConnectOptions): Promise<Connected> {
    const { body, signedIn } = await startFlow(service, asked)
    const { session_id: sessionId, authorization_url: url, state, poll_secret: secret, user_code: code } = body
    if (typeof sessionId !== 'string' || typeof url !== 'string' || typeof state !== 'string') throw refusal(502, {})
    const sessionReset = body.session_reset === true
    // Tokens of a lost session are useless. The new session gets tokens with its first account.
    if (sessionReset) await forgetSession(tokens)
    await tokens.setData({ session_id: sessionId })
    const expiresInMs = typeof body.expires_in === 'number' ? body.expires_in * 1000 : EXPIRES_MS
    const userCode = typeof code === 'string' && code ? { userCode: code } : {}
    await asked.onUrl(checked(url), { ...userCode, sessionReset, expiresInMs })
    const connected = { service, sessionId, sessionReset }
    if (signedIn && !sessionReset && !asked.wait) return { ...connected, status: 'opened' }

    const done = await pollFlow({
      env,
      baseUrl,
      state,
      pollSecret: typeof secret === 'string' && secret ? secret : undefined,
      intervalMs: Math.max(POLL_MS, typeof body.interval === 'number' ? body.interval * 1000 : 0),
      expiresInMs,
      onPending: asked.onPending,
      signal: asked.signal,
    })
    const accountId = typeof done.account_id === 'string' ? { account_id: done.account_id } : {}
    if (typeof done.token === 'string') await tokens.signIn(tokensFromResponse(done, env.now()), accountId)
    return { ...connected, status: 'connected', ...(accountId.account_id ? { accountId: accountId.account_id } : {}) }
  }

  async function ask(body: Json, signal: AbortSignal | undefined, path = '/ask'): Promise<AskResponse> {
    return askResponse(await signedCall({ path, method: 'POST', body, signal }))
  }

  return {
    tokens,
    connect,
    sessionId: async () => (await tokens.data()).session_id,

    async list({ signal } = {}) {
      const { connections } = await ownCall('/connections', 'GET', undefined, signal)
      return (connections ?? {}) as Readonly<Record<string, IntegrationState>>
    },

    async disconnect(service, { accountId, signal } = {}) {
      const path = `/connections/disconnect?service=${encodeURIComponent(service)}`
      const body = await ownCall(path, 'POST', accountId ? { account_id: accountId } : {}, signal)
      return { connected: body.connected === true }
    },

    async logout() {
      try {
        await signedCall({ path: '/auth/logout', method: 'POST' })
      } catch (error) {
        // Signing out must work without a network. On the server the tokens expire by themselves.
        if (!(error instanceof HoldpointError)) throw error
      } finally {
        await tokens.signOut()
      }
    },

    ask: (prompt, { confirm = false, context, signal } = {}) =>
      ask({ prompt, interactive: false, confirm, ...(context ? { context } : {}) }, signal),

    confirm: (confirmationToken, approved, { signal } = {}) =>
      ask({ confirmation_token: confirmationToken, approved }, signal, '/ask/confirm'),

    conversation() {
      let sessionId: string | undefined
      return {
        sessionId: () => sessionId,
        async ask(prompt, { context, signal } = {}) {
          const turn = { ...(sessionId ? { session_id: sessionId } : {}), ...(context ? { context } : {}) }
          const reply = await ask({ prompt, interactive: true, ...turn }, signal)
          if (reply.status === 'interactive_response') sessionId = reply.sessionId
          return reply
        },
      }
    },
  }
}

function originOf(baseUrl: string): string {
  if (URL.canParse(baseUrl)) return new URL(baseUrl).origin
  throw new HoldpointError(
    'invalid_options',
    `createAccountsClient: baseUrl must be an absolute URL such as "https://api.example.com", and is "${baseUrl}".`,
  )
}

async function forgetSession(tokens: TokenManager): Promise<void> {
  await tokens.setData({ session_id: undefined, account_id: undefined })
  await tokens.signOut()
}

function isSignedOut(error: unknown): boolean {
  return isHoldpointError(error, 'signed_out') || isHoldpointError(error, 'session_lost')
}

/** The caller may pass the address to the operating system, so only web addresses are accepted. */
function checked(address: string): string {
  const { protocol, hostname } = new URL(address)
  const local = /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(hostname)
  if (protocol === 'https:' || (protocol === 'http:' && local)) return address
  throw new HoldpointError('url_not_allowed', 'Refused to open the address of the service: it must be https.')
}
