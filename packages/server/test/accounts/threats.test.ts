import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allow, BASE, connectCli, createHarness, type Harness, ORIGIN, pollCli, signInCli } from './support/harness.ts'
import { seconds } from './support/world.ts'

let harness: Harness
beforeAll(async () => {
  harness = await createHarness()
})
afterAll(() => harness.close())

const invalid = { status: 400, body: { code: 'INVALID_STATE' } }
const startFor = async (userId: string, integration = 'slack') => {
  const started = await harness.broker.start({ userId }, integration, { flowId: 'f' })
  if (!('url' in started)) throw new Error('no url')
  return started.url
}

describe('broker 2: state alone yields nothing [B2.1]', () => {
  test('a poll without the secret, with a wrong one or with that of another flow has one response, before and after the end', async () => {
    const started = await connectCli(harness)
    const other = await connectCli(harness)
    const tries = () =>
      Promise.all([
        harness.call(`/auth/status/${started.state}`),
        harness.call(`/auth/status/${started.state}`, { bearer: 'x'.repeat(43) }),
        harness.call(`/auth/status/${started.state}`, { bearer: other.poll_secret }),
        harness.call(`/auth/status/${started.state}`, { bearer: started.state }),
        harness.call(`/auth/status/unknown`, { bearer: started.poll_secret }),
      ])
    const before = await tries()
    const browser = harness.browser()
    await allow(browser, await browser.submit(await browser.open(started.authorization_url)))
    for (const answered of [...before, ...(await tries())]) {
      expect(answered).toMatchObject(invalid)
      expect(answered.body).toEqual(before[0]?.body)
    }
    expect((await pollCli(harness, started)).body.status).toBe('completed')
  })
})

describe('threat 5: a forwarded link [T5.1]', () => {
  test('threat 5: broker 8: a browser that is not signed in must confirm service, device and code before the flow begins [B8.1]', async () => {
    const started = await connectCli(harness, 'slack', { device: 'Eve’s <b>laptop</b>' })
    const victim = harness.browser()
    const page = await victim.open(started.authorization_url)
    expect(page.url.origin).toBe(ORIGIN)
    expect(page.text).toContain('Slack')
    expect(page.text).toContain('Eve’s &#60;b&#62;laptop')
    expect(page.text).toContain(started.user_code)
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(page.headers.get('set-cookie')).toMatch(/HttpOnly; SameSite=Lax/)
  })

  test('threat 5: the name that a program gives itself is marked as a claim and hides no other fact [N3.2]', async () => {
    const started = await connectCli(harness, 'slack', { device: 'your own computer (verified)\u202e\u200b\ufe01' })
    const page = await harness.browser().open(started.authorization_url)
    expect(page.text).toContain(
      'a program that calls itself “<bdi>your own computer (verified)\\u{202e}\\u{200b}\\u{fe01}</bdi>”',
    )
  })

  test('threat 5: the service’s address of one browser connects nothing in another browser', async () => {
    const started = await connectCli(harness)
    const attacker = harness.browser()
    const consent = await attacker.submit(await attacker.open(started.authorization_url))
    const consentAddress = attacker.history.findLast((url) => url.includes('code_challenge=')) ?? ''
    expect(consent.text).toContain('Allow')
    const victim = harness.browser()
    const end = await allow(victim, await victim.open(consentAddress), 'victim')
    expect(end.status).toBe(403)
    expect((await pollCli(harness, started)).body).toMatchObject({ status: 'failed', error: 'different_browser' })
    expect(await harness.broker.status({ userId: 'slack:victim' }, 'slack')).toEqual({ state: 'missing' })
    expect(harness.said.join('\n')).toContain('different_browser')
  })

  test('threat 5: another page in the same browser cannot confirm: POST needs our Origin [T5.2]', async () => {
    const started = await connectCli(harness)
    const victim = harness.browser()
    await victim.open(started.authorization_url)
    const cookie = [...(victim.cookies.get('localhost:4000') ?? [])].map((pair) => pair.join('=')).join('; ')
    for (const origin of ['https://evil.example', 'null', undefined]) {
      const response = await harness.broker.fetch(
        new Request(`${BASE}/connections/authorize`, {
          method: 'POST',
          headers: { 'content-type': 'application/x-www-form-urlencoded', cookie, ...(origin && { origin }) },
          body: `state=${started.state}`,
        }),
      )
      expect(response.status).toBe(403)
    }
  })

  test('threat 5: a confirmation without the cookie of the page is rejected', async () => {
    const started = await connectCli(harness)
    const browser = harness.browser()
    const page = await browser.open(started.authorization_url)
    expect((await harness.browser().submit(page)).status).toBe(403)
  })

  test('broker 4: threat 5: a different signed-in user who begins or finishes the flow is refused, and it is recorded [T5.3]', async () => {
    const url = await startFor('mallory')
    const victim = harness.browser('victim')
    expect((await victim.open(url)).status).toBe(403)

    const mallory = harness.browser('mallory')
    await mallory.open(url)
    const address = mallory.history.findLast((visited) => visited.includes('code_challenge=')) ?? ''
    const before = harness.said.length
    const end = await allow(victim, await victim.open(address), 'victim')
    expect(end.status).toBe(403)
    expect(await harness.broker.status({ userId: 'mallory' }, 'slack')).toEqual({ state: 'missing' })
    expect(await harness.broker.status({ userId: 'victim' }, 'slack')).toEqual({ state: 'missing' })
    expect(harness.said.slice(before).join('\n')).toMatch(
      /flow_refused[\s\S]*different_user[\s\S]*mallory[\s\S]*victim/,
    )
    // The address is spent: not even the user who started it can continue.
    expect((await mallory.open(url)).status).toBe(400)
  })

  test('broker 4: another user who signed in meanwhile, in the very browser that began it, is refused [B4.1]', async () => {
    const browser = harness.browser('mallory')
    const consent = await browser.open(await startFor('mallory'))
    browser.cookies.get('localhost:4000')?.set('user', 'nina')
    const before = harness.said.length
    expect((await allow(browser, consent, 'nina')).status).toBe(403)
    expect(harness.said.slice(before).join('\n')).toMatch(/different_user[\s\S]*mallory[\s\S]*nina/)
    expect(await harness.broker.status({ userId: 'mallory' }, 'slack')).toEqual({ state: 'missing' })
  })

  test('threat 5: the answer of one service in the flow of another is rejected (mix-up), and the code is not exchanged [N7.1]', async () => {
    const mallory = harness.browser('mallory')
    await mallory.open(await startFor('mallory'))
    // A malicious "slack" forwards the browser to the honest service, with the flow's own state.
    const address = new URL(mallory.history.findLast((visited) => visited.includes('code_challenge=')) ?? '')
    address.searchParams.set('client_id', 'gmail')
    address.searchParams.set('redirect_uri', `${BASE}/connections/callback/gmail`)
    address.searchParams.set('scope', 'openid')
    const before = harness.said.length
    const end = await allow(mallory, await mallory.open(address.href), 'mallory')
    expect(end.status).toBe(403)
    expect(end.url.pathname).toBe('/holdpoint/connections/callback/gmail')
    expect(harness.said.slice(before).join('\n')).toMatch(/flow_refused[\s\S]*different_service/)
    expect(await harness.broker.status({ userId: 'mallory' }, 'slack')).toEqual({ state: 'missing' })
    // Without a service there is no address to return to.
    expect((await mallory.open(`${BASE}/connections/callback?code=x&state=y`)).status).toBe(404)
  })

  test('threat 5: a page that was opened but not confirmed authorizes nothing', async () => {
    const started = await connectCli(harness)
    const attacker = harness.browser()
    await attacker.submit(await attacker.open(started.authorization_url))
    const consentAddress = attacker.history.findLast((url) => url.includes('code_challenge=')) ?? ''
    const victim = harness.browser()
    await victim.open(started.authorization_url)
    expect((await allow(victim, await victim.open(consentAddress), 'victim')).status).toBe(403)
    expect((await pollCli(harness, started)).body).toMatchObject({ status: 'failed' })
  })

  test('threat 5: an app flow asks for confirmation if it is opened in a browser that is not signed in', async () => {
    const browser = harness.browser()
    const page = await browser.open(await startFor('ivy'))
    expect(page.text).toContain('ivy')
    expect(page.text).toContain('If another person sent you this link')
    await allow(browser, await browser.submit(page), 'ivy')
    expect(await harness.broker.status({ userId: 'ivy' }, 'slack')).toMatchObject({ state: 'connected' })
  })

  test('broker 8: a loopback flow needs no page, and its tokens need the code that only the same machine receives [B8.2]', async () => {
    const started = await connectCli(harness, 'slack', { loopback_redirect: 'http://127.0.0.1:5999/back' })
    const browser = harness.browser()
    const caught: URL[] = []
    const local = new (browser.constructor as typeof import('@holdpoint/conformance/local-oauth').TestBrowser)({
      local: (request) => (request.url.startsWith(ORIGIN) ? harness.broker.fetch(request) : null),
      stopAt: (url) => url.port === '5999' && caught.push(url) > 0,
    })
    await allow(local, await local.open(started.authorization_url), 'jo')
    const code = caught[0]?.searchParams.get('code') ?? ''
    expect(caught[0]?.searchParams.get('state')).toBe(started.state)
    const headers = { 'holdpoint-loopback-code': code }
    // The attacker who started it and polls has no code.
    expect((await pollCli(harness, started)).body.status).toBe('pending')
    harness.world.advance(seconds(3))
    expect((await pollCli(harness, started, { 'holdpoint-loopback-code': 'x' })).body.status).toBe('pending')
    expect(await harness.broker.status({ userId: 'slack:jo' }, 'slack')).toEqual({ state: 'missing' })
    harness.world.advance(seconds(3))
    expect(await harness.call(`/auth/status/${started.state}`, { headers })).toMatchObject(invalid)
    expect((await pollCli(harness, started, headers)).body).toMatchObject({ status: 'completed', account_id: 'jo' })
  })
})

describe('broker 1: state is used once [B1.2]', () => {
  test('one of 50 simultaneous callbacks exchanges the code [B1.3]', async () => {
    const before = harness.local.grants.authorization_code ?? 0
    const browser = harness.browser('kim')
    const jar = browser.cookies
    const stopped = new (browser.constructor as typeof import('@holdpoint/conformance/local-oauth').TestBrowser)({
      local: (request) => (request.url.startsWith(ORIGIN) ? harness.broker.fetch(request) : null),
      stopAt: (url) => url.pathname.endsWith('/callback/slack'),
    })
    for (const [host, cookies] of jar) stopped.cookies.set(host, cookies)
    const { url } = await allow(stopped, await stopped.open(await startFor('kim')), 'kim')
    const cookie = [...(stopped.cookies.get('localhost:4000') ?? [])].map((pair) => pair.join('=')).join('; ')
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => harness.broker.fetch(new Request(url, { headers: { cookie } }))),
    )
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(49)
    expect((harness.local.grants.authorization_code ?? 0) - before).toBe(1)
  })

  test.each([
    ['iss of another server', (url: URL) => url.searchParams.set('iss', 'https://evil.example')],
    ['no iss where one was promised', (url: URL) => url.searchParams.delete('iss')],
    ['a code of another user', (url: URL) => url.searchParams.set('code', 'stolen')],
    ['no code', (url: URL) => url.searchParams.delete('code')],
    ['two codes', (url: URL) => url.searchParams.append('code', 'second')],
  ])('broker 3: %s is refused', async (_what, change) => {
    const TestBrowser = (await import('@holdpoint/conformance/local-oauth')).TestBrowser
    const stopped = new TestBrowser({
      local: (request) => (request.url.startsWith(ORIGIN) ? harness.broker.fetch(request) : null),
      stopAt: (url) => url.pathname.endsWith('/callback/slack'),
    })
    stopped.cookies.set('localhost:4000', new Map([['user', 'lea']]))
    const { url } = await allow(stopped, await stopped.open(await startFor('lea')), 'lea')
    change(url)
    const cookie = [...(stopped.cookies.get('localhost:4000') ?? [])].map((pair) => pair.join('=')).join('; ')
    const response = await harness.broker.fetch(new Request(url, { headers: { cookie } }))
    expect(response.headers.get('location')).toContain('result=failed')
    expect(await harness.broker.status({ userId: 'lea' }, 'slack')).toEqual({ state: 'missing' })
  })
})

describe('threat 6: session_id is no credential', () => {
  test('threat 6: list, disconnect and adding a service by a leaked session_id are refused [T6.1]', async () => {
    const { started, status } = await signInCli(harness, 'max')
    const { session_id } = started
    const missing = { status: 401, body: { code: 'TOKEN_MISSING' } }
    expect(await harness.call(`/connections?session_id=${session_id}`)).toMatchObject(missing)
    expect(await harness.call('/connections/disconnect?service=slack', { body: { session_id } })).toMatchObject(missing)
    expect(await harness.call('/connections/connect?service=gmail', { body: { session_id } })).toMatchObject(missing)
    expect(await harness.call('/connections', { bearer: status.token })).toMatchObject({
      body: { connections: { slack: { connected: true } } },
    })
  })

  test('threat 6: another user’s token with a leaked session_id reaches only the accounts of that other user', async () => {
    const { started } = await signInCli(harness, 'ned')
    const eve = await signInCli(harness, 'eve')
    await harness.call('/connections/disconnect?service=slack', {
      body: { session_id: started.session_id },
      bearer: eve.status.token,
    })
    expect(await harness.broker.status({ userId: 'slack:ned' }, 'slack')).toMatchObject({ state: 'connected' })
    expect(await harness.broker.status({ userId: 'slack:eve' }, 'slack')).toEqual({ state: 'missing' })
  })

  test('a session_id is accepted as a credential only where the server sets legacySessionIds', async () => {
    const { started } = await signInCli(harness, 'olga')
    const legacy = harness.node({ legacySessionIds: true })
    const { session_id } = started
    expect(await harness.call(`/connections?session_id=${session_id}`, { on: legacy })).toMatchObject({
      status: 200,
      body: { connections: { slack: { connected: true } } },
    })
    expect(
      await harness.call('/connections/connect?service=gmail', { body: { session_id }, on: legacy }),
    ).toMatchObject({ status: 200, body: { session_id } })
    expect(
      await harness.call('/connections/disconnect?service=slack', { body: { session_id }, on: legacy }),
    ).toMatchObject({ body: { connected: false } })
  })
})
