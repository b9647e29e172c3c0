import { beforeEach, describe, expect, test } from 'vitest'
import { memoryTokenStore } from '../tokens/memory-token-store.ts'
import { manualEnvironment } from '../tokens/testing/manual-environment.ts'
import { createAccountsClient } from './create-accounts-client.ts'
import { scriptedService } from './testing/scripted-service.ts'
import type { AccountsClientOptions, ConnectOptions } from './types.ts'

const jwt = (n: number) => `e30.${btoa(JSON.stringify({ iat: 1_000, exp: 2_800, n }))}.x`
const pending = { status: 'pending', message: 'Authorization not yet completed' }
const completed = { status: 'completed', account_id: 'acc-1', token: jwt(1), refresh_token: 'r-1', message: 'done' }
const started = {
  service: 'jira',
  session_id: 's-1',
  authorization_url: 'https://auth.example/authorize?x=1',
  state: 'st/1',
  message: 'visit',
  poll_secret: 'secret',
  user_code: 'ABCD',
  expires_in: 600,
  interval: 3,
}
let time: ReturnType<typeof manualEnvironment>
let service: ReturnType<typeof scriptedService>
let urls: string[]
beforeEach(() => {
  time = manualEnvironment()
  service = scriptedService(time.env.now)
  urls = []
})
const make = (options: Partial<AccountsClientOptions> = {}) =>
  createAccountsClient({
    baseUrl: 'https://api.example/base/',
    environment: { ...time.env, fetch: service.fetch },
    ...options,
  })
const toUrls: ConnectOptions = { onUrl: (url) => void urls.push(url) }
const outcome = (promise: Promise<unknown>) =>
  promise.catch(({ code, name }: { code?: unknown; name?: string }) => (typeof code === 'string' ? code : name))
async function signedIn(options: Partial<AccountsClientOptions> = {}) {
  const accounts = make(options)
  await accounts.tokens.signIn(
    { accessToken: jwt(1), refreshToken: 'r-1', expiresAt: time.env.now() + 1_800_000 },
    { session_id: 's-1' },
  )
  return accounts
}

describe('connecting the first service', () => {
  test('polls every 3 seconds with the secret, signs in, and stores session and tokens', async () => {
    service.on('POST /base/connections/connect', started)
    service.on('GET /base/auth/status', pending, pending, 'unreachable', [502, {}], completed)
    const accounts = make({ device: 'laptop' })
    const ticks: number[] = []
    const done = accounts.connect('jira', { ...toUrls, onPending: ({ waitedMs }) => ticks.push(waitedMs) })
    await time.advance(30_000)
    expect(await done).toEqual({
      service: 'jira',
      status: 'connected',
      sessionId: 's-1',
      sessionReset: false,
      accountId: 'acc-1',
    })
    expect(urls).toEqual(['https://auth.example/authorize?x=1'])
    expect(service.paths()[0]).toBe('POST /base/connections/connect?service=jira')
    expect(service.asked[0]!.body).toEqual({ device: 'laptop' })
    const polls = service.asked.slice(1)
    expect(polls.map(({ path, bearer }) => [path, bearer])).toEqual(
      Array(5).fill(['/base/auth/status/st%2F1', 'secret']),
    )
    expect(polls.map(({ at }) => at - service.asked[0]!.at)).toEqual([3_000, 6_000, 9_000, 12_000, 15_000])
    expect(ticks).toEqual([0, 3_000, 6_000, 9_000, 12_000])
    expect(await accounts.tokens.data()).toEqual({ session_id: 's-1', account_id: 'acc-1' })
    expect(await accounts.tokens.token()).toBe(jwt(1))
    await time.advance(24 * 60_000)
    expect(await accounts.tokens.token()).toBe(jwt(1))
  })

  test('slow_down adds five seconds to the interval permanently', async () => {
    service.on('POST /base/connections/connect', started)
    const slow = [429, { status: 'slow_down', error: 'slow_down', interval: 8 }, { 'retry-after': '8' }] as const
    service.on(
      'GET /base/auth/status',
      { ...pending, interval: 4 },
      [...slow],
      { error: 'slow_down' },
      pending,
      completed,
    )
    const done = make().connect('jira', toUrls)
    await time.advance(90_000)
    await done
    const times = service.asked.map(({ at }) => at)
    expect(times.slice(1).map((at, n) => at - times[n]!)).toEqual([3_000, 4_000, 9_000, 14_000, 14_000])
  })

  test.each([
    ['denied', { status: 'denied', error: 'access_denied' }, 'connect_denied'],
    ['failed', { status: 'failed', error: 'invalid_grant', message: 'It failed.' }, 'connect_failed'],
    ['a state that the service no longer knows', [400, { error: 'INVALID_STATE' }], 'connect_expired'],
  ])('%s ends the flow', async (_, reply, code) => {
    service.on('POST /base/connections/connect', started)
    service.on('GET /base/auth/status', pending, reply as object)
    const done = outcome(make().connect('jira', toUrls))
    await time.advance(60_000)
    expect(await done).toBe(code)
    expect(service.asked).toHaveLength(3)
  })

  test('a flow without an authorization ends after ten minutes', async () => {
    service.on('POST /base/connections/connect', { ...started, expires_in: undefined })
    service.on('GET /base/auth/status', pending)
    const done = outcome(make().connect('jira', toUrls))
    await time.advance(599_000)
    const asked = service.asked.length
    await time.advance(60_000)
    expect(await done).toBe('connect_expired')
    expect(service.asked.length - asked).toBeLessThanOrEqual(1)
  })

  test('an aborted flow leaves no timer and no request', async () => {
    service.on('POST /base/connections/connect', started)
    service.on('GET /base/auth/status', pending)
    const controller = new AbortController()
    const done = outcome(make().connect('jira', { ...toUrls, signal: controller.signal }))
    await time.advance(4_000)
    controller.abort()
    expect(await done).toBe('AbortError')
    const asked = service.asked.length
    await time.advance(60_000)
    expect([service.asked.length, time.pendingTimers()]).toEqual([asked, 0])
  })

  test.each(['javascript:alert(1)', 'http://auth.example/', 'file:///etc/passwd', 'slack://x'])(
    'the address %s is not opened',
    async (url) => {
      service.on('POST /base/connections/connect', { ...started, authorization_url: url })
      expect(await outcome(make().connect('jira', toUrls))).toBe('url_not_allowed')
      expect(urls).toEqual([])
    },
  )
})

describe('connecting a further service', () => {
  test('needs no polling, except on request', async () => {
    service.on('POST /base/connections/connect', started)
    service.on('GET /base/auth/status', { status: 'completed', account_id: 'acc-2', message: 'done' })
    const accounts = await signedIn()
    expect(await accounts.connect('confluence', toUrls)).toMatchObject({ status: 'opened' })
    expect(service.asked).toEqual([expect.objectContaining({ bearer: jwt(1), body: { session_id: 's-1' } })])
    const waiting = accounts.connect('confluence', { ...toUrls, wait: true, scopes: ['read'] })
    await time.advance(3_000)
    expect(await waiting).toMatchObject({ status: 'connected', accountId: 'acc-2' })
    expect(await accounts.tokens.token()).toBe(jwt(1))
  })

  test('session_reset keeps the new id, drops the old tokens and waits for the new ones', async () => {
    service.on('POST /base/connections/connect', { ...started, session_id: 's-2', session_reset: true })
    service.on('GET /base/auth/status', { ...completed, token: jwt(2) })
    const accounts = await signedIn()
    const resets: boolean[] = []
    const done = accounts.connect('jira', { onUrl: (_, { sessionReset }) => resets.push(sessionReset) })
    await time.advance(3_000)
    expect(await done).toMatchObject({ status: 'connected', sessionId: 's-2', sessionReset: true })
    expect(resets).toEqual([true])
    expect(await accounts.sessionId()).toBe('s-2')
    expect(await accounts.tokens.token()).toBe(jwt(2))
  })
})

test('session_reset drops the old tokens even if the authorization never completes', async () => {
  service.on('POST /base/connections/connect', { ...started, session_id: 's-2', session_reset: true })
  service.on('GET /base/auth/status', { status: 'denied', error: 'access_denied' })
  const accounts = await signedIn()
  const done = outcome(accounts.connect('jira', toUrls))
  await time.advance(3_000)
  expect([await done, accounts.tokens.status(), await accounts.sessionId()]).toEqual([
    'connect_denied',
    'signed-out',
    's-2',
  ])
})

describe('list and disconnect', () => {
  test('list and disconnect send the token', async () => {
    service.on('GET /base/connections', { connections: { jira: { connected: true } } })
    service.on('POST /base/connections/disconnect', { service: 'jira', connected: false, message: 'ok' })
    const accounts = await signedIn()
    expect(await accounts.list()).toEqual({ jira: { connected: true } })
    expect(await accounts.disconnect('jira', { accountId: 'a' })).toEqual({ connected: false })
    expect(service.asked.map(({ bearer, body }) => [bearer, body])).toEqual([
      [jwt(1), {}],
      [jwt(1), { session_id: 's-1', account_id: 'a' }],
    ])
  })

  test.each(['list', 'disconnect'] as const)(
    '%s: session_reset_required clears the lost session, so that connecting starts again',
    async (verb) => {
      const gone = [404, { error: 'Invalid session_id', message: 'gone', session_reset_required: true }]
      service.on('GET /base/connections', gone)
      service.on('POST /base/connections/disconnect', gone)
      service.on('POST /base/connections/connect', started)
      const accounts = await signedIn()
      expect(await outcome(accounts[verb]('jira' as never))).toBe('session_reset_required')
      expect(await accounts.sessionId()).toBeUndefined()
      expect(accounts.tokens.status()).toBe('signed-out')
      void accounts.connect('jira', toUrls).catch(() => {})
      await time.settle()
      expect(service.asked.at(-1)).toMatchObject({ path: '/base/connections/connect?service=jira', body: {} })
      expect(service.asked.at(-1)!.bearer).toBeUndefined()
    },
  )

  test('without tokens a session id is sent only to legacy services', async () => {
    service.on('GET /base/connections', { connections: {} })
    const store = memoryTokenStore()
    await (await signedIn({ store })).tokens.signOut()
    expect(await outcome(make({ store }).list())).toBe('signed_out')
    expect(service.asked).toEqual([])
    expect(await make({ store, legacySessionId: true }).list()).toEqual({})
    expect(service.paths()).toEqual(['GET /base/connections?session_id=s-1'])
  })

  test('an error of the service has the service’s own message', async () => {
    service.on('GET /base/connections', [503, { error: 'UNAVAILABLE', code: 'UNAVAILABLE', message: 'Back soon.' }])
    await expect((await signedIn()).list()).rejects.toMatchObject({
      code: 'unavailable',
      message: 'Back soon.',
      details: { status: 503 },
    })
  })

  test('an unreachable service and a response without JSON are errors', async () => {
    service.on('GET /base/connections', 'unreachable')
    expect(await outcome((await signedIn()).list())).toBe('not_reachable')
  })
})

describe('staying signed in', () => {
  test('an expired token is refreshed first, and the new pair is stored', async () => {
    service.on('POST /base/auth/refresh', { token: jwt(2), refresh_token: 'r-2', message: 'ok' })
    service.on('GET /base/connections', { connections: {} })
    const store = memoryTokenStore()
    const accounts = await signedIn({ store })
    await time.advance(31 * 60_000)
    await accounts.list()
    expect(service.asked.map(({ path, bearer, body }) => [path, bearer, body])).toEqual([
      ['/base/auth/refresh', undefined, { refresh_token: 'r-1' }],
      ['/base/connections', jwt(2), {}],
    ])
    expect((await store.read('default'))?.tokens?.refreshToken).toBe('r-2')
  })

  test('a rejected refresh ends the session, and connecting again works without the old token', async () => {
    service.on('POST /base/auth/refresh', [401, { error: 'REFRESH_TOKEN_INVALID' }])
    service.on('POST /base/connections/connect', started)
    service.on('GET /base/auth/status', { ...completed, token: jwt(3) })
    const accounts = await signedIn()
    await time.advance(31 * 60_000)
    expect(await outcome(accounts.list())).toBe('session_lost')
    const again = accounts.connect('jira', toUrls)
    await time.advance(3_000)
    expect(await again).toMatchObject({ status: 'connected', sessionReset: false })
    expect(await accounts.tokens.token()).toBe(jwt(3))
  })

  test('logout ends the session on the server and here, also without a network, and the session id is kept', async () => {
    service.on('POST /base/auth/logout', { message: 'ok' }, 'unreachable')
    for (const _ of ['with', 'without']) {
      const accounts = await signedIn()
      await accounts.logout()
      expect(accounts.tokens.status()).toBe('signed-out')
      expect(await accounts.sessionId()).toBe('s-1')
    }
    expect(service.paths()).toEqual(['POST /base/auth/logout', 'POST /base/auth/logout'])
  })
})

describe('ask', () => {
  test('a single request returns its response', async () => {
    service.on('POST /base/ask', { status: 'completed', message: 'Hello', data: { a: 1 } })
    const reply = await (await signedIn()).ask('Hi', { context: { repo: 'x' } })
    expect(reply).toEqual({ status: 'completed', message: 'Hello', data: { a: 1 } })
    expect(service.asked[0]!.body).toEqual({ prompt: 'Hi', interactive: false, confirm: false, context: { repo: 'x' } })
  })

  test('a request with confirmation is approved or cancelled', async () => {
    service.on('POST /base/ask', {
      status: 'confirmation_required',
      confirmation_token: 'c-1',
      requires_confirmation: true,
      message: 'Sure?',
    })
    service.on('POST /base/ask/confirm', ({ body }) => ({
      status: 'completed',
      message: body.approved ? 'Done' : 'Cancelled',
    }))
    const accounts = await signedIn()
    const reply = await accounts.ask('Delete all', { confirm: true })
    expect(reply).toMatchObject({ status: 'confirmation_required', confirmationToken: 'c-1', message: 'Sure?' })
    expect(await accounts.confirm('c-1', true)).toEqual({ status: 'completed', message: 'Done' })
    expect(await accounts.confirm('c-1', false)).toEqual({ status: 'completed', message: 'Cancelled' })
    expect(service.asked[1]!.body).toEqual({ confirmation_token: 'c-1', approved: true })
  })

  test('a conversation keeps its id', async () => {
    service.on('POST /base/ask', {
      status: 'interactive_response',
      interactive: true,
      session_id: 'talk-1',
      message: 'Continue',
    })
    const talk = (await signedIn()).conversation()
    await talk.ask('I need help')
    expect(await talk.ask('With a ticket')).toMatchObject({ status: 'interactive_response', sessionId: 'talk-1' })
    expect(service.asked.map(({ body }) => body)).toEqual([
      { prompt: 'I need help', interactive: true },
      { prompt: 'With a ticket', interactive: true, session_id: 'talk-1' },
    ])
  })

  test.each([
    [200, { status: 'error', message: 'Missing required field: prompt' }, 'ask_failed'],
    [200, { status: 'confirmation_required', message: 'no token' }, 'ask_failed'],
    [410, { status: 'error', code: 'CONFIRMATION_EXPIRED', message: 'Too late.' }, 'confirmation_expired'],
  ])('call %i with %j has the result %s', async (status, body, code) => {
    service.on('POST /base/ask', [status, body])
    expect(await outcome((await signedIn()).ask('x'))).toBe(code)
  })
})
