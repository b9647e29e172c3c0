import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allow, BASE, connectAs, createHarness, deny, type Harness, ORIGIN } from './support/harness.ts'

let harness: Harness
const ada = { userId: 'ada' }

beforeAll(async () => {
  harness = await createHarness()
})
afterAll(() => harness.close())

const start = async (options: Record<string, unknown> = {}, who = ada) => {
  const started = await harness.broker.start(who, 'slack', { flowId: 'flow-1', ...options })
  if (!('url' in started)) throw new Error('no url')
  return started.url
}

describe('an account of a signed-in user, against a real OpenID provider', () => {
  test('an account that is connected with code and PKCE has a token that works at the service', async () => {
    expect(await harness.broker.status(ada, 'slack')).toEqual({ state: 'missing' })
    await connectAs(harness, 'ada')
    expect(await harness.broker.status(ada, 'slack')).toMatchObject({
      state: 'connected',
      accountId: 'ada',
      accountName: 'Ada',
    })
    const token = await harness.broker.token(ada, 'slack')
    const response = await fetch(`${harness.local.url}/api/chat.postMessage`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: JSON.stringify({ channel: 'c', text: 'hello' }),
    })
    expect(response.status).toBe(200)
    expect(harness.local.messages).toEqual([{ account: 'ada', channel: 'c', text: 'hello' }])
  })

  test('threat 3: accounts are stored by tenant and user [T3.4]', async () => {
    await connectAs(harness, 'ada')
    expect(await harness.broker.status({ userId: 'bob' }, 'slack')).toEqual({ state: 'missing' })
    expect(await harness.broker.status({ userId: 'ada', tenant: 'acme' }, 'slack')).toEqual({ state: 'missing' })
    expect(await harness.broker.status({ userId: '', tenant: 'ada' }, 'slack')).toEqual({ state: 'missing' })
    await expect(harness.broker.token({ userId: 'bob' }, 'slack')).rejects.toMatchObject({
      code: 'account_missing',
    })
  })

  test('broker 1: each flow has a fresh PKCE S256 verifier, a fresh state and the exact redirect_uri [B1.1]', async () => {
    const seen = []
    for (let i = 0; i < 2; i++) {
      const browser = harness.browser('ada')
      await browser.open(await start())
      const consent = browser.history.find((url) => url.includes('code_challenge=')) ?? ''
      const params = new URL(consent).searchParams
      expect(params.get('code_challenge_method')).toBe('S256')
      expect(params.get('redirect_uri')).toBe(`${BASE}/connections/callback/slack`)
      seen.push(params.get('code_challenge'), params.get('state'))
    }
    expect(new Set(seen).size).toBe(4)
    expect(Buffer.from(seen[1] ?? '', 'base64url')).toHaveLength(32)
  })

  test('a signed-in user is redirected without a confirmation page, and a popup ends on a page that reports on the channel of the flow', async () => {
    const browser = harness.browser('ada')
    const consent = await browser.open(await start({ flowId: 'flow-7' }))
    expect(consent.url.origin).toBe(harness.local.url)
    const end = await allow(browser, consent)
    expect(end.url.pathname).toBe('/holdpoint/connections/done')
    expect(end.text).toContain('new BroadcastChannel("holdpoint-flow-flow-7")')
    expect(end.text).toContain('"result":"connected"')
    expect(end.text).toContain("history.replaceState(null,'',location.pathname)")
    expect(`${end.url} ${end.text}`).not.toMatch(/code=|state=|token/i)
  })

  test('the script of the last page notifies the channel and the storage, removes the parameters from the address and closes the window', async () => {
    const browser = harness.browser('ada')
    const end = await allow(browser, await browser.open(await start({ flowId: 'flow-8' })))
    const script = /<script nonce="[^"]+">([\s\S]*?)<\/script>/.exec(end.text)?.[1] ?? ''
    const did: unknown[] = []
    runInNewContext(script, {
      location: end.url,
      history: { replaceState: (...args: unknown[]) => did.push(['replaceState', args[2]]) },
      BroadcastChannel: class {
        readonly name: string
        constructor(name: string) {
          this.name = name
        }
        postMessage(message: object) {
          did.push([this.name, { ...message }])
        }
      },
      localStorage: { setItem: (...args: unknown[]) => did.push(args), removeItem: () => {} },
      window: { close: () => did.push('closed') },
      setTimeout: (callback: () => void) => callback(),
    })
    const message = { type: 'holdpoint_auth', flowId: 'flow-8', result: 'connected' }
    expect(did).toEqual([
      ['replaceState', '/holdpoint/connections/done'],
      ['holdpoint-flow-flow-8', message],
      ['holdpoint-flow-flow-8', JSON.stringify(message)],
      'closed',
    ])
  })

  test('broker 5: the page after the authorization is not cached, not framed, and sends no referrer [B5.1]', async () => {
    const browser = harness.browser('ada')
    const end = await allow(browser, await browser.open(await start()))
    expect(end.headers.get('cache-control')).toBe('no-store')
    expect(end.headers.get('referrer-policy')).toBe('no-referrer')
    expect(end.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(end.headers.get('x-frame-options')).toBe('DENY')
    // The address with the code is answered with a redirect, so it is in no history; and its answer is as closed.
    const callback = browser.history.find((url) => url.includes('/callback/slack?')) ?? ''
    const again = await harness.broker.fetch(new Request(callback, { headers: { cookie: 'user=ada' } }))
    expect(again.status).toBe(400)
    expect(again.headers.get('cache-control')).toBe('no-store')
    expect(again.headers.get('referrer-policy')).toBe('no-referrer')
    expect(again.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  })

  test('a redirect of the whole page returns with auth_complete and generation_id', async () => {
    const browser = harness.browser('ada')
    const url = await start({ returnTo: '/chat/1?x=1', generationId: 'run-1', flowId: 'flow-9' })
    const consent = await browser.open(url)
    await allow(browser, consent)
    expect(browser.history.at(-1)).toBe(`${ORIGIN}/chat/1?x=1&auth_complete=slack&generation_id=run-1&flow_id=flow-9`)
  })

  test('a denial at the service returns with auth_failed and connects nothing', async () => {
    const carol = { userId: 'carol' }
    const browser = harness.browser('carol')
    const url = await start({ returnTo: '/chat/1', generationId: 'run-1', flowId: 'f' }, carol)
    await deny(browser, await browser.open(url))
    expect(browser.history.at(-1)).toBe(
      `${ORIGIN}/chat/1?auth_failed=slack&auth_error=access_denied&generation_id=run-1&flow_id=f`,
    )
    expect(await harness.broker.status(carol, 'slack')).toEqual({ state: 'missing' })
  })

  test('threat 10: a forged return link changes nothing [T10.1]', async () => {
    const dave = { userId: 'dave' }
    const browser = harness.browser('dave')
    await browser.open(`${BASE}/connections/done?result=connected&service=slack&flow=flow-1`)
    expect(await harness.broker.status(dave, 'slack')).toEqual({ state: 'missing' })
    const forged = await browser.open(
      `${BASE}/connections/done?result=connected&service=slack&flow=%22%3C/script%3E%3Cscript%3Ealert(1)`,
    )
    expect(forged.text).not.toContain('alert(1)')
  })

  test.each([
    '//evil.example',
    '/\\evil.example',
    'javascript:alert(1)',
    'https://a@evil.example',
    'https://evil.example',
  ])('broker 3: returnTo %j is refused [B3.1]', async (returnTo) => {
    await expect(start({ returnTo })).rejects.toMatchObject({ code: 'return_not_allowed' })
  })

  test('a request for wider scopes asks for the union of all scopes, and a smaller authorization is reported', async () => {
    const erin = { userId: 'erin' }
    const browser = harness.browser('erin')
    const first = await start({ scopes: ['channels:read'], flowId: 'f' }, erin)
    await allow(browser, await browser.open(first), 'erin')
    expect(await harness.broker.status(erin, 'slack', ['chat:write'])).toMatchObject({ state: 'scopes' })
    await expect(harness.broker.token(erin, 'slack', ['chat:write'])).rejects.toMatchObject({
      code: 'account_scopes',
    })

    const second = await browser.open(await start({ scopes: ['chat:write'], flowId: 'f' }, erin))
    const asked = browser.history.findLast((url) => url.includes('code_challenge=')) ?? ''
    expect(new URL(asked).searchParams.get('scope')?.split(' ')).toEqual(
      expect.arrayContaining(['channels:read', 'chat:write']),
    )
    await allow(browser, second, 'erin')
    expect(await harness.broker.status(erin, 'slack', ['chat:write', 'channels:read'])).toMatchObject({
      state: 'connected',
    })

    const frank = harness.browser('frank')
    const consent = await frank.open(
      await start({ returnTo: '/r', flowId: 'f', generationId: 'g' }, { userId: 'frank' }),
    )
    await allow(frank, consent, 'frank', 'chat:write')
    expect(frank.history.at(-1)).toContain('auth_complete=slack&auth_error=fewer_scopes')
  })

  test('the last connected account of several is used, any other can be chosen, and each can be removed', async () => {
    const gina = { userId: 'gina' }
    await connectAs(harness, 'gina', 'slack', 'gina-work')
    await connectAs(harness, 'gina', 'slack', 'gina-home')
    expect(await harness.broker.status(gina, 'slack')).toMatchObject({ accountId: 'gina-home' })
    const [work, home] = await Promise.all(
      ['gina-work', 'gina-home'].map((accountId) => harness.broker.token(gina, 'slack', [], { accountId })),
    )
    expect(work).not.toBe(home)
    await harness.broker.choose(gina, 'slack', 'gina-work')
    expect(await harness.broker.token(gina, 'slack')).toBe(work)
    const { slack } = await harness.broker.list(gina)
    expect(slack?.accounts?.map(({ account_id, default: used }) => [account_id, used]).sort()).toEqual([
      ['gina-home', false],
      ['gina-work', true],
    ])
    await harness.broker.disconnect(gina, 'slack', 'gina-work')
    expect(await harness.broker.status(gina, 'slack')).toMatchObject({ accountId: 'gina-home' })
    await harness.broker.disconnect(gina, 'slack')
    expect(await harness.broker.status(gina, 'slack')).toEqual({ state: 'missing' })
  })

  test('listeners are called once each, and one that throws does not affect the others', async () => {
    const heard: string[] = []
    const node = harness.node({
      onChange: () => {
        throw new Error('mine')
      },
    })
    const stop = node.changes(({ type, owner, integration }) => heard.push(`${type} ${owner.userId} ${integration}`))
    await connectAs(harness, 'hal')
    await node.disconnect({ userId: 'hal' }, 'slack')
    stop()
    expect(heard).toEqual(['disconnected hal slack'])
  })
})
