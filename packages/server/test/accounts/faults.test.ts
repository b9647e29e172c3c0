import { inspect } from 'node:util'
import { TestBrowser } from '@holdpoint/conformance/local-oauth'
import { type AccountBroker, createAccountBroker, defineOAuthProvider } from '@holdpoint/server/accounts'
import { type MutableResponse, OAuth2Server } from 'oauth2-mock-server'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { ClientCredentials, ProviderDefinition } from '../../src/broker/oauth/provider.ts'
import { createWorld, minutes, seconds, VAULT_KEY, type World } from './support/world.ts'

const ORIGIN = 'http://localhost:4200'
const ada = { userId: 'ada' }
const server = new OAuth2Server()
let world: World
let said: string[]

beforeAll(async () => {
  await server.issuer.keys.generate('RS256')
  await server.start(0, '127.0.0.1')
})
afterAll(() => server.stop())
afterEach(() => {
  for (const event of ['beforeResponse', 'beforeTokenSigning', 'beforeUserinfo', 'beforeAuthorizeRedirect'])
    server.service.removeAllListeners(event)
})

const base = () => `http://127.0.0.1:${server.address().port}`

function brokerWith(
  definition: Partial<ProviderDefinition> = {},
  client: Partial<ClientCredentials> = {},
): AccountBroker {
  world = createWorld()
  said = []
  const log = (message: string, facts?: unknown) => said.push(message + inspect(facts))
  const define = defineOAuthProvider({
    id: 'acme',
    name: 'Acme',
    issuer: server.issuer.url ?? '',
    authorizationEndpoint: `${base()}/authorize`,
    tokenEndpoint: `${base()}/token`,
    scopes: ['read'],
    profile: { from: { url: `${base()}/userinfo` }, accountId: 'sub', user: { name: 'name' } },
    ...definition,
  })
  return createAccountBroker({
    store: world.store,
    now: world.now,
    providers: [define({ clientId: 'app', clientSecret: 'a secret of the app', ...client })],
    vaultKeys: [VAULT_KEY],
    baseUrl: ORIGIN,
    development: true,
    authenticate: () => ada,
    logger: { debug: log, info: log, warn: log, error: log },
  })
}

async function connect(broker: AccountBroker): Promise<string> {
  const started = await broker.start(ada, 'acme', { flowId: 'f', returnTo: '/back', generationId: 'g' })
  if (!('url' in started)) throw new Error('no url')
  const browser = new TestBrowser({
    local: (request) => (request.url.startsWith(ORIGIN) ? broker.fetch(request) : null),
    stopAt: ({ pathname }) => pathname === '/back',
  })
  return (await browser.open(started.url)).url.search
}

const answerWith = (change: (response: MutableResponse, grantType: string) => void) =>
  server.service.on('beforeResponse', (response, request) => change(response, request.body.grant_type))

const failed = (reason: string) => `?auth_failed=acme&auth_error=${reason}&generation_id=g&flow_id=f`

describe('a service that answers with', () => {
  test.each([
    ['an error of OAuth', 400, { error: 'invalid_client' }, 'invalid_client'],
    [
      'an error that is a sentence with a token in it',
      400,
      { error: 'the token abc123secret is bad' },
      'provider_error',
    ],
    ['a server error', 503, { error: 'x' }, 'unreachable'],
    ['no token', 200, { token_type: 'bearer' }, 'invalid_response'],
    ['a token that is a number', 200, { access_token: 7, token_type: 'bearer' }, 'invalid_response'],
    ['an unknown token type', 200, { access_token: 'abc123secret', token_type: 'mac' }, 'invalid_response'],
    [
      'an expiry that is text',
      200,
      { access_token: 'abc123secret', token_type: 'bearer', expires_in: 'soon' },
      'invalid_response',
    ],
    ['nothing', 200, '', 'invalid_response'],
  ] as const)(
    '%s connects nothing, and the error has a code and none of the service’s text',
    async (_what, statusCode, body, reason) => {
      const broker = brokerWith()
      answerWith((response) => Object.assign(response, { statusCode, body }))
      expect(await connect(broker)).toBe(failed(reason))
      expect(await broker.status(ada, 'acme')).toEqual({ state: 'missing' })
      expect(`${said.join()} ${world.dump()}`).not.toContain('abc123secret')
    },
  )

  test('an ID token of another issuer, for another client, or that has expired connects nothing [B3.2]', async () => {
    for (const change of [{ iss: 'https://evil.example' }, { aud: 'another app' }, { exp: 1 }]) {
      const broker = brokerWith({ scopes: ['openid'] })
      server.service.on('beforeTokenSigning', (token) => Object.assign(token.payload, change))
      const search = await connect(broker)
      server.service.removeAllListeners('beforeTokenSigning')
      expect(search).toBe(failed('invalid_response'))
    }
  })

  test('a wrong or missing profile connects nothing', async () => {
    const broker = brokerWith()
    for (const change of [
      { statusCode: 500, body: '' },
      { statusCode: 200, body: {} },
      { statusCode: 200, body: { sub: { a: 1 } } },
    ]) {
      server.service.once('beforeUserinfo', (response) => Object.assign(response, change))
      expect(await connect(broker)).toBe(failed('no_account'))
    }
  })

  test('a return with another state or with an error connects nothing', async () => {
    const broker = brokerWith()
    server.service.once('beforeAuthorizeRedirect', ({ url }) => {
      url.search = `?error=server_error&state=${url.searchParams.get('state')}`
    })
    expect(await connect(broker)).toBe(failed('server_error'))
  })
})

describe('a service that deviates from OAuth', () => {
  test('may report errors with status 200, as Slack does', async () => {
    const broker = brokerWith({ errorsIn200: true, lostGrantErrors: ['token_revoked'] })
    answerWith((response) => Object.assign(response, { statusCode: 200, body: { ok: false, error: 'invalid_code' } }))
    expect(await connect(broker)).toBe(failed('invalid_code'))
  })

  test('may name its errors in another field, as HubSpot does', async () => {
    const broker = brokerWith({ errorField: 'status', lostGrantErrors: ['BAD_REFRESH_TOKEN'] })
    await connect(broker)
    world.advance(minutes(61))
    answerWith((response) =>
      Object.assign(response, { statusCode: 400, body: { status: 'BAD_REFRESH_TOKEN', message: 'x' } }),
    )
    await expect(broker.token(ada, 'acme')).rejects.toMatchObject({ code: 'account_expired' })
  })

  test('may require JSON at the token endpoint and return its own token type', async () => {
    const seen: unknown[] = []
    const broker = brokerWith({ tokenBody: 'json', tokenTypes: ['bot'], clientAuth: 'basic' })
    server.service.on('beforeResponse', (response, request) => {
      seen.push([request.headers['content-type'], request.headers.authorization, request.body])
      Object.assign(response.body, { token_type: 'bot', scope: 'read' })
    })
    expect(await connect(broker)).toBe('?auth_complete=acme&generation_id=g&flow_id=f')
    expect(seen).toEqual([
      [
        'application/json',
        expect.stringMatching(/^Basic /),
        expect.objectContaining({ grant_type: 'authorization_code', code_verifier: expect.any(String) }),
      ],
    ])
  })

  test('may separate scopes by commas and require extra parameters', async () => {
    const broker = brokerWith({
      scopeSeparator: ',',
      scopes: ['a', 'b'],
      authorizationParams: { audience: 'api' },
    })
    let asked = new URLSearchParams()
    server.service.once('beforeAuthorizeRedirect', (_redirect, request) => {
      asked = new URL(request.url ?? '', base()).searchParams
    })
    await connect(broker)
    expect([asked.get('scope'), asked.get('audience')]).toEqual(['a,b', 'api'])
  })

  test('may return no refresh token and no expiry: the token is used until the service rejects it', async () => {
    const broker = brokerWith()
    answerWith(({ body }) => {
      if (body === '') return
      delete body.refresh_token
      delete body.expires_in
    })
    await connect(broker)
    const token = await broker.token(ada, 'acme')
    world.advance(minutes(60 * 24 * 100))
    expect(await broker.token(ada, 'acme')).toBe(token)
    await broker.reject(ada, 'acme', token)
    expect(await broker.status(ada, 'acme')).toEqual({ state: 'expired' })
    await expect(broker.token(ada, 'acme')).rejects.toMatchObject({ code: 'account_expired' })
  })

  test('may omit the refresh token in the response to a refresh: the old one is kept', async () => {
    const broker = brokerWith()
    await connect(broker)
    answerWith(({ body }, grant) => {
      if (grant === 'refresh_token' && body !== '') delete body.refresh_token
    })
    for (let i = 0; i < 2; i++) {
      world.advance(minutes(61))
      await expect(broker.token(ada, 'acme')).resolves.toBeTruthy()
    }
  })

  test('may omit the refresh token after a second consent: the earlier one is kept', async () => {
    const broker = brokerWith({ profile: { from: { url: `${base()}/userinfo` }, accountId: 'sub' } })
    await connect(broker)
    answerWith(({ body }, grant) => {
      if (grant === 'authorization_code' && body !== '') delete body.refresh_token
    })
    await connect(broker)
    world.advance(minutes(61))
    await expect(broker.token(ada, 'acme')).resolves.toBeTruthy()
  })

  test('an account is expired after a permanent refusal of its refresh, and kept after a temporary one', async () => {
    const broker = brokerWith({ lostGrantErrors: ['token_revoked'] })
    await connect(broker)
    world.advance(minutes(61))
    answerWith((response) => Object.assign(response, { statusCode: 400, body: { error: 'temporarily_unavailable' } }))
    await expect(broker.token(ada, 'acme')).rejects.toMatchObject({ code: 'accounts_unavailable' })
    server.service.removeAllListeners('beforeResponse')
    answerWith((response) => Object.assign(response, { statusCode: 400, body: { error: 'token_revoked' } }))
    world.advance(seconds(31))
    await expect(broker.token(ada, 'acme')).rejects.toMatchObject({ code: 'account_expired' })
    expect(await broker.status(ada, 'acme')).toEqual({ state: 'expired' })
  })
})

test('threat 27: a service on a loopback address is not called without the development switch', async () => {
  const broker = brokerWith()
  const strict = createAccountBroker({
    store: world.store,
    now: world.now,
    providers: [
      defineOAuthProvider({
        id: 'acme',
        name: 'Acme',
        authorizationEndpoint: `${base()}/authorize`,
        tokenEndpoint: `${base()}/token`,
        scopes: [],
        profile: { from: 'token_response', accountId: 'id' },
      })({ clientId: 'a', clientSecret: 'b' }),
    ],
    vaultKeys: [VAULT_KEY],
    baseUrl: 'https://app.example',
    development: false,
  })
  await connect(broker)
  world.advance(minutes(61))
  await expect(strict.token(ada, 'acme')).rejects.toMatchObject({ code: 'accounts_unavailable' })
  world.advance(seconds(31))
  expect(await broker.token(ada, 'acme')).toBeTruthy()
})
