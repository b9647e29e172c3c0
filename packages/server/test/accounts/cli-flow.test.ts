import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withRemoteAddress } from '../../src/http/requests/remote-address.ts'
import {
  allow,
  BASE,
  connectCli,
  createHarness,
  deny,
  type Harness,
  pollCli,
  type SignedIn,
  signInCli,
} from './support/harness.ts'
import { minutes, seconds } from './support/world.ts'

let harness: Harness
beforeAll(async () => {
  harness = await createHarness()
})
afterAll(() => harness.close())

describe('a command-line tool', () => {
  test('connects its first service: session, address, polling, tokens; then a second one without polling', async () => {
    const started = await connectCli(harness)
    expect(started).toMatchObject({ service: 'slack', interval: 3, expires_in: 600 })
    expect(started.session_reset).toBeUndefined()
    expect((await pollCli(harness, started)).body).toMatchObject({ status: 'pending', interval: 3 })

    const browser = harness.browser()
    const asked = await browser.open(started.authorization_url)
    expect(asked.text).toContain(started.user_code)
    expect(asked.text).toContain('Slack')
    const end = await allow(browser, await browser.submit(asked), 'ada')
    expect(end.text).toContain('Slack is connected')
    harness.world.advance(seconds(3))
    const status = (await pollCli(harness, started)).body
    expect(status).toMatchObject({ status: 'completed', account_id: 'ada' })

    const second = await connectCli(harness, 'gmail', { session_id: started.session_id }, status.token)
    expect(second.session_id).toBe(started.session_id)
    await allow(browser, await browser.submit(await browser.open(second.authorization_url)), 'ada')
    const { body } = await harness.call('/connections', { bearer: status.token })
    expect(body).toEqual({
      connections: {
        slack: expect.objectContaining({
          connected: true,
          user: { account_id: 'ada', name: 'Ada', email: 'ada@example.com' },
        }),
        gmail: expect.objectContaining({ connected: true, user: expect.objectContaining({ account_id: 'ada' }) }),
      },
    })
    expect((await pollCli(harness, second)).body).toEqual({
      status: 'completed',
      account_id: 'ada',
      message: expect.any(String),
    })
  })

  test('disconnects, refreshes, logs out', async () => {
    const { status } = await signInCli(harness, 'bea')
    const gone = await harness.call('/connections/disconnect?service=slack', { bearer: status.token, body: {} })
    expect(gone.body).toEqual({ service: 'slack', connected: false, message: 'Successfully disconnected from slack' })
    const fresh = await harness.call<SignedIn>('/auth/refresh', { body: { refresh_token: status.refresh_token } })
    expect(fresh.body).toMatchObject({ token: expect.any(String), message: 'Token refreshed successfully' })
    expect(fresh.body.refresh_token).not.toBe(status.refresh_token)
    const out = await harness.call('/auth/logout', { bearer: fresh.body.token, body: {} })
    expect(out.body).toEqual({ message: 'Logged out successfully' })
    expect(await harness.call('/connections', { bearer: fresh.body.token })).toMatchObject({
      status: 401,
      body: { code: 'TOKEN_REVOKED' },
    })
    expect(await harness.call('/auth/refresh', { body: { refresh_token: fresh.body.refresh_token } })).toMatchObject({
      status: 401,
    })
  })

  test('a session token authenticates at the host', async () => {
    const { status } = await signInCli(harness, 'cleo')
    const request = (token: string) => new Request(BASE, { headers: { authorization: `Bearer ${token}` } })
    expect(await harness.broker.authenticate(request(status.token))).toEqual({ userId: 'slack:cleo' })
    expect(await harness.broker.authenticate(request('nonsense'))).toBeNull()
    expect(await harness.broker.authenticate(new Request(BASE))).toBeNull()
  })

  test('a connection with an unknown session_id begins a new session and returns session_reset', async () => {
    const started = await connectCli(harness, 'slack', { session_id: 'session_gone' })
    expect(started.session_reset).toBe(true)
    expect(started.session_id).not.toBe('session_gone')
    expect(started.message).toMatch(/^New session created/)
  })

  test('an unknown session_id next to a session token is ignored, because the token names the session', async () => {
    const { status } = await signInCli(harness, 'ella')
    const gone = { body: { session_id: 'session_gone' }, bearer: status.token }
    const reply = await harness.call('/connections/disconnect?service=slack', gone)
    expect(reply).toMatchObject({ status: 200, body: { service: 'slack' } })
    expect(reply.body).not.toHaveProperty('session_reset_required')
  })

  test('list and disconnect with an unknown session_id return session_reset_required', async () => {
    const expected = { status: 404, body: { error: 'Invalid session_id', session_reset_required: true } }
    expect(await harness.call('/connections?session_id=session_gone')).toMatchObject(expected)
    expect(
      await harness.call('/connections/disconnect?service=slack', {
        body: { session_id: 'session_gone' },
        bearer: undefined,
        headers: { origin: BASE.replace('/holdpoint', '') },
      }),
    ).toMatchObject(expected)
    // With a token of a session that a reset took away.
    const { status, started } = await signInCli(harness, 'dora')
    const { hashOf } = await import('../../src/security/hashes.ts')
    const { sessionRef } = await import('../../src/security/keys.ts')
    await harness.world.store.erase(sessionRef(await hashOf(started.session_id)).partition)
    expect(await harness.call('/connections', { bearer: status.token })).toMatchObject(expected)
    const again = await connectCli(harness, 'slack', { session_id: started.session_id }, status.token)
    expect(again.session_reset).toBe(true)
  })

  test('a denial is reported as denied, and an expired flow is rejected', async () => {
    const started = await connectCli(harness)
    const browser = harness.browser()
    await deny(browser, await browser.submit(await browser.open(started.authorization_url)))
    expect((await pollCli(harness, started)).body).toMatchObject({ status: 'denied', error: 'access_denied' })

    const old = await connectCli(harness)
    const page = await browser.open(old.authorization_url)
    harness.world.advance(minutes(10))
    expect((await browser.submit(page)).status).toBe(400)
    expect((await browser.open(old.authorization_url)).status).toBe(400)
    expect(await pollCli(harness, old)).toMatchObject({ status: 400, body: { code: 'INVALID_STATE' } })
  })

  test('broker 6: polling too soon is answered with slow_down, and the interval stays five seconds longer [B6.1]', async () => {
    const started = await connectCli(harness)
    expect((await pollCli(harness, started)).body.status).toBe('pending')
    const soon = await pollCli(harness, started)
    expect(soon).toMatchObject({ status: 429, body: { status: 'slow_down', interval: 8 } })
    expect(soon.headers.get('retry-after')).toBe('8')
    harness.world.advance(seconds(5))
    expect((await pollCli(harness, started)).body).toMatchObject({ status: 'slow_down', interval: 13 })
    harness.world.advance(seconds(13))
    expect((await pollCli(harness, started)).body).toMatchObject({ status: 'pending', interval: 13 })
  })

  test('the outcome of a flow can be fetched again for one minute and contains the same tokens', async () => {
    const { started, status } = await signInCli(harness, 'emma')
    expect((await pollCli(harness, started)).body).toEqual(status)
    harness.world.advance(seconds(61))
    expect(await pollCli(harness, started)).toMatchObject({ status: 400, body: { code: 'INVALID_STATE' } })
  })

  test('signing in again with the session_id yields the same user, whom the account identifies', async () => {
    const { started, status } = await signInCli(harness, 'fay')
    const again = await signInCli(harness, 'fay', 'slack', { session_id: started.session_id })
    expect(again.started.session_id).toBe(started.session_id)
    expect(again.status.token).toBeTruthy()
    expect(again.status.token).not.toBe(status.token)
    const other = await signInCli(harness, 'mallory', 'slack', { session_id: started.session_id })
    expect(other.status).toMatchObject({ status: 'failed', error: 'wrong_account' })
    expect(other.status.token).toBeUndefined()
    expect(harness.said.join('\n')).toMatch(/flow_refused[\s\S]*different_account/)
  })

  test('a program that is connected in a signed-in browser acts as the user of that browser', async () => {
    const started = await connectCli(harness)
    const browser = harness.browser('gus')
    await allow(browser, await browser.submit(await browser.open(started.authorization_url)), 'gus')
    const { body } = await pollCli(harness, started)
    expect(
      await harness.broker.authenticate(new Request(BASE, { headers: { authorization: `Bearer ${body.token}` } })),
    ).toEqual({ userId: 'gus' })
    expect(await harness.broker.status({ userId: 'gus' }, 'slack')).toMatchObject({ state: 'connected' })
  })
})

describe('errors', () => {
  test.each([
    ['GET', '/connections', 401, 'TOKEN_MISSING', {}],
    ['GET', '/connections', 401, 'TOKEN_INVALID', { authorization: 'Bearer x' }],
    ['GET', '/connections/connect?service=slack', 405, 'METHOD_NOT_ALLOWED', {}],
    ['GET', '/connections/nothing', 404, 'NOT_FOUND', {}],
    ['GET', '/auth/status/x', 400, 'INVALID_STATE', {}],
    ['GET', '/connections', 403, 'ORIGIN_NOT_ALLOWED', { origin: 'https://evil.example' }],
  ])('%s %s: %i %s', async (method, path, status, code, headers) => {
    const answered = await harness.call(path, { method, headers })
    expect(answered).toMatchObject({ status, body: { error: code, code, message: expect.any(String) } })
  })

  test.each([
    ['unknown service', '/connections/connect?service=x', {}, 400, 'UNKNOWN_SERVICE'],
    ['no JSON', '/connections/connect?service=slack', '{', 400, 'INVALID_JSON'],
    ['an array', '/connections/connect?service=slack', [], 400, 'INVALID_BODY'],
    ['__proto__', '/connections/connect?service=slack', '{"__proto__":{"a":1}}', 400, 'FORBIDDEN_KEY'],
    ['too large', '/connections/connect?service=slack', { x: 'x'.repeat(70_000) }, 413, 'TOO_LARGE'],
    ['no refresh token', '/auth/refresh', {}, 400, 'MISSING_REFRESH_TOKEN'],
    ['bad refresh token', '/auth/refresh', { refresh_token: 'x' }, 401, 'REFRESH_TOKEN_INVALID'],
    ['evil return', '/connections/connect?service=slack', { return_to: '//evil.example' }, 400, 'INVALID_REDIRECT'],
    [
      'evil loopback',
      '/connections/connect?service=slack',
      { loopback_redirect: 'http://evil.example:1/' },
      400,
      'INVALID_REDIRECT',
    ],
  ])('%s', async (_what, path, body, status, code) => {
    expect(await harness.call(path, { body })).toMatchObject({ status, body: { code } })
  })

  test('a request of another page is rejected, because it is not JSON or has no allowed Origin', async () => {
    const post = (headers: Record<string, string>) =>
      harness.call('/connections/connect?service=slack', { body: '{}', headers })
    expect(await post({ 'content-type': 'text/plain' })).toMatchObject({ status: 415 })
    expect(await post({ origin: 'https://evil.example' })).toMatchObject({ status: 403 })
    expect(await post({ origin: 'null' })).toMatchObject({ status: 403 })
  })

  test('new connections of one address do not exhaust the limit of another address [B10.1]', async () => {
    const limited = harness.node({ connectLimit: { burst: 3, perSecond: 0.001 } })
    const connectFrom = async (address: string) => {
      const url = `${BASE}/connections/connect?service=slack`
      const request = new Request(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{}',
      })
      return (await limited.fetch(withRemoteAddress(request, address))).status
    }
    const flood = []
    for (let n = 0; n < 5; n++) flood.push(await connectFrom('203.0.113.1'))
    expect(flood).toEqual([200, 200, 200, 429, 429])
    expect(await connectFrom('203.0.113.2')).toBe(200)
  })

  test('the rate limit of new connections counts all programs together if their addresses are unknown', async () => {
    const limited = harness.node({ connectLimit: { burst: 3, perSecond: 1 } })
    const answers = []
    for (let i = 0; i < 4; i++) {
      answers.push((await harness.call('/connections/connect?service=slack', { body: {}, on: limited })).status)
    }
    expect(answers).toEqual([200, 200, 200, 429])
  })

  test('invalid requests do not count against the limit of new connections, and each session has a limit of its own [B10.2]', async () => {
    const limited = harness.node({ connectLimit: { burst: 2, perSecond: 0.001 } })
    const connect = (body: object, service = 'slack') =>
      harness.call<{ session_id: string }>(`/connections/connect?service=${service}`, { body, on: limited })
    for (let n = 0; n < 70; n++) expect((await connect({}, 'nothing')).status).toBe(400)
    const first = await connect({})
    expect(first.status).toBe(200)
    const own = { session_id: first.body.session_id }
    expect((await connect({})).status).toBe(200)
    expect((await connect({})).status).toBe(429)
    expect((await connect(own)).status).toBe(200)
  })
})
