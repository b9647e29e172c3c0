import { generateKeyPairSync } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { OAuthProvider as Service } from '@holdpoint/server/accounts'
import Provider, { type ClientMetadata, type Configuration, type InteractionResults } from 'oidc-provider'
import { consentPage } from './consent-page.ts'
import { devicePages } from './device-pages.ts'
import { BASE, CLIENTS, localServices, secretOf } from './local-services.ts'
import { memoryAdapter } from './memory-adapter.ts'

export interface LocalOAuthOptions {
  /**
   * The address to which services redirect browsers. `<baseUrl>/connections/callback` also covers the service's id
   * below that path.
   */
  redirectUris: readonly string[]
  /** 0 is any free port. */
  port?: number
  /** Lifetime of access tokens; one hour by default. */
  accessTokenSeconds?: number
}

/** A message that was posted through the simulated Slack. */
export interface PostedMessage {
  account: string
  channel: string
  text: string
}

/** A simulated Slack and Gmail on this machine: a real OpenID provider with strict rotation of refresh tokens. */
export interface LocalOAuth {
  url: string
  /** For `createAccountBroker({ providers, development: true })`. */
  slack: Service
  gmail: Service
  /** Calls `POST /api/chat.postMessage` with an own token. */
  messages: readonly PostedMessage[]
  /** Number of requests to the token endpoint, by grant type. */
  grants: Readonly<Record<string, number>>
  /** Every code and token that was ever issued, for tests that search for them. */
  issued: readonly string[]
  /**
   * Headers of every response, as services send them: `cross-origin-opener-policy` and the like. They can change at any
   * time.
   */
  headers: Record<string, string>
  /** The next requests to the token endpoint get this status. */
  failTokens(count: number, status?: number): void
  /** Expires every access token. The authorizations stay, so the tokens can be refreshed. */
  endAccessTokens(): Promise<void>
  /** Revokes all authorizations of a user, as an administrator would. */
  revokeAll(): Promise<void>
  close(): Promise<void>
}

const DEVICE = 'urn:ietf:params:oauth:grant-type:device_code'

/**
 * Starts an OAuth server for demos and tests, so that "connect Slack" works without a real account.
 *
 * @example
 * const local = await localOAuth({ redirectUris: ['http://localhost:3000/holdpoint/connections/callback'] })
 * const broker = createAccountBroker({ providers: [local.slack, local.gmail], development: true, ...others })
 */
export async function localOAuth({
  redirectUris,
  port = 0,
  accessTokenSeconds = 3600,
}: LocalOAuthOptions): Promise<LocalOAuth> {
  const server = createServer()
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider = new Provider(url, configuration(redirectUris, accessTokenSeconds))
  const grantIds = new Set<string>()
  provider.on('grant.success', ({ oidc }) => {
    if (oidc.entities.Grant) grantIds.add(oidc.entities.Grant.jti)
  })
  // Tokens are opaque: the issued value is the id of the stored record.
  const issued: string[] = []
  const give = ({ jti }: { jti: string }) => void issued.push(jti)
  provider.on('access_token.saved', give).on('refresh_token.saved', give).on('authorization_code.saved', give)

  const messages: PostedMessage[] = []
  const grants: Record<string, number> = {}
  const failing = { left: 0, status: 503 }
  const headers: Record<string, string> = {}
  provider.use(async (context, next) => {
    await next()
    const type = context.oidc?.route === 'token' ? context.oidc.params?.grant_type : undefined
    if (typeof type === 'string') grants[type] = (grants[type] ?? 0) + 1
  })
  const oauth = provider.callback()
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const path = request.url?.split('?')[0] ?? ''
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
    if (path === '/token' && failing.left > 0) {
      failing.left--
      response.writeHead(failing.status, { 'content-type': 'application/json' }).end('{"error":"server_error"}')
    } else if (path.startsWith('/interaction/')) void interact(provider, request, response)
    else if (path === '/api/chat.postMessage') void post(provider, request, response, messages)
    else oauth(request, response)
  })

  return {
    url,
    ...localServices(url),
    messages,
    grants,
    headers,
    issued,
    failTokens(count, status = 503) {
      Object.assign(failing, { left: count, status })
    },
    async endAccessTokens() {
      for (const id of grantIds) await provider.AccessToken.revokeByGrantId(id)
    },
    async revokeAll() {
      for (const id of grantIds) {
        for (const model of [provider.AccessToken, provider.RefreshToken]) await model.revokeByGrantId(id)
        await (await provider.Grant.find(id))?.destroy()
      }
    },
    async close() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

function configuration(redirectUris: readonly string[], accessTokenSeconds: number): Configuration {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const clients = Object.entries(CLIENTS).map(
    ([id, { name, scopes }]): ClientMetadata => ({
      client_id: id,
      client_secret: secretOf(id),
      client_name: `Holdpoint for ${name}`,
      redirect_uris: redirectUris.map((uri) => (uri.endsWith('/connections/callback') ? `${uri}/${id}` : uri)),
      grant_types: ['authorization_code', 'refresh_token', DEVICE],
      token_endpoint_auth_method: 'client_secret_post',
      id_token_signed_response_alg: 'ES256',
      scope: [...BASE, ...scopes].join(' '),
    }),
  )
  return {
    adapter: memoryAdapter(),
    clients,
    scopes: [...BASE, ...Object.values(CLIENTS).flatMap(({ scopes }) => scopes)],
    claims: { openid: ['sub'], profile: ['name'], email: ['email'] },
    conformIdTokenClaims: false,
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), alg: 'ES256', use: 'sig' }] },
    cookies: { keys: ['local only'] },
    pkce: { required: () => true },
    rotateRefreshToken: true,
    issueRefreshToken: async () => true,
    ttl: {
      AccessToken: accessTokenSeconds,
      RefreshToken: 86_400,
      Grant: 86_400,
      IdToken: 3600,
      DeviceCode: 600,
      Interaction: 600,
      Session: 86_400,
      AuthorizationCode: 60,
    },
    features: {
      devInteractions: { enabled: false },
      deviceFlow: { enabled: true, ...devicePages },
      revocation: {
        enabled: true,
        allowedPolicy: async (_context, client, token) => token.clientId === client.clientId,
      },
    },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    findAccount: (_context, id) => ({
      accountId: id,
      claims: () => ({ sub: id, name: `${id[0]?.toUpperCase()}${id.slice(1)}`, email: `${id}@example.com` }),
    }),
  }
}

/** Login and consent on one page with one click. */
async function interact(provider: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    const { params, grantId, uid, session } = await provider.interactionDetails(request, response)
    const client = String(params.client_id)
    const scopes = String(params.scope ?? '').split(' ')
    if (request.method === 'GET') {
      const { name } = client in CLIENTS ? CLIENTS[client as keyof typeof CLIENTS] : { name: client }
      response.writeHead(200, { 'content-type': 'text/html' })
      response.end(
        consentPage(
          name,
          scopes.filter((scope) => !BASE.includes(scope)),
          `/interaction/${uid}`,
          session?.accountId,
        ),
      )
      return
    }
    const form = new URLSearchParams(await textOf(request))
    const login = session?.accountId ?? form.get('login') ?? 'ada'
    const result = await decide(provider, form, client, scopes, grantId, login)
    await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false })
  } catch {
    response.writeHead(400).end('This page has expired. Start again.')
  }
}

async function decide(
  provider: Provider,
  form: URLSearchParams,
  clientId: string,
  scopes: string[],
  grantId: string | undefined,
  accountId: string,
): Promise<InteractionResults> {
  if (form.get('decision') !== 'allow') return { error: 'access_denied', error_description: 'The user denied access.' }
  const known = grantId ? await provider.Grant.find(grantId) : undefined
  const grant = known?.accountId === accountId ? known : new provider.Grant({ accountId, clientId })
  const kept = form.getAll('without')
  grant.addOIDCScope(scopes.filter((scope) => !kept.includes(scope)).join(' '))
  if (kept.length > 0) grant.rejectOIDCScope(kept.join(' '))
  return { login: { accountId }, consent: { grantId: await grant.save() } }
}

async function post(provider: Provider, request: IncomingMessage, response: ServerResponse, messages: PostedMessage[]) {
  const token = /^bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1]
  const known = token ? await provider.AccessToken.find(token) : undefined
  const say = (status: number, body: unknown) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  if (!known?.isValid) return say(401, { ok: false, error: 'invalid_auth' })
  if (!known.scopes.has('chat:write')) return say(403, { ok: false, error: 'missing_scope' })
  const body: unknown = JSON.parse((await textOf(request)) || '{}')
  const { channel = 'general', text = '' } = body as { channel?: string; text?: string }
  messages.push({ account: known.accountId ?? '', channel, text })
  return say(200, { ok: true, channel, ts: String(messages.length) })
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const part of request) text += part
  return text
}
