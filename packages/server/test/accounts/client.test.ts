import { createAccountsClient as createClient } from '@holdpoint/core/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allow, BASE, createHarness, deny, type Harness } from './support/harness.ts'
import { minutes } from './support/world.ts'

let harness: Harness
beforeAll(async () => {
  harness = await createHarness({
    ask: async ({ prompt, history }) => ({ message: `${prompt} after ${history.length}` }),
  })
})
afterAll(() => harness.close())

/**
 * The published client, against the broker; its pauses move the world's clock instead of taking time. None ends while
 * a request is under way: on a busy machine its time limit would be over at once.
 */
function makeClient({ skewMs = 0, lose = 0 }: { skewMs?: number; lose?: number } = {}) {
  const asked: string[] = []
  /** Answers to refreshes that the broker gave and that never arrive. */
  let losing = lose
  let underWay = 0
  const client = createClient({
    baseUrl: BASE,
    environment: {
      now: () => harness.world.now() + skewMs,
      fetch: async (input: RequestInfo | URL, init?: RequestInit) => {
        const request = new Request(input, init)
        const line = `${request.method} ${new URL(request.url).pathname.replace('/holdpoint', '')}`
        asked.push(line)
        underWay++
        const answer = await harness.broker.fetch(request).finally(() => underWay--)
        if (line === 'POST /auth/refresh' && losing-- > 0) throw new TypeError('the connection was lost')
        return answer
      },
      setTimeout(callback: () => void, ms: number) {
        const looking = setInterval(() => {
          if (underWay > 0) return
          clearInterval(looking)
          harness.world.advance(ms)
          callback()
        }, 5)
        return looking
      },
    },
  })
  return { client, asked }
}

const click = (login: string) => async (url: string) => {
  const browser = harness.browser()
  await allow(browser, await browser.submit(await browser.open(url)), login)
}

describe('the client of core and the broker', () => {
  test('the client connects two services, lists and disconnects them, refreshes its token and logs out', async () => {
    const { client, asked } = makeClient()
    const codes: (string | undefined)[] = []
    const connected = await client.connect('slack', {
      onUrl: async (url, { userCode }) => {
        codes.push(userCode)
        await click('ada')(url)
      },
    })
    expect(connected).toMatchObject({ service: 'slack', status: 'connected', sessionReset: false, accountId: 'ada' })
    expect(codes[0]).toMatch(/^[A-Z]{4}-[A-Z]{4}$/)
    await client.connect('gmail', { onUrl: click('ada'), wait: true })
    expect(await client.list()).toMatchObject({ slack: { connected: true }, gmail: { connected: true } })

    const token = await client.tokens.token()
    harness.world.advance(minutes(31))
    expect(await client.list()).toMatchObject({ slack: { connected: true } })
    expect(await client.tokens.token()).not.toBe(token)
    expect(asked.filter((line) => line === 'POST /auth/refresh')).toHaveLength(1)

    expect(await client.disconnect('slack')).toMatchObject({ connected: false })
    await client.logout()
    expect(asked.at(-1)).toBe('POST /auth/logout')
  })

  const refreshes = (asked: string[]) => asked.filter((line) => line === 'POST /auth/refresh').length

  test('a refresh whose response was lost is repeated within the grace window, and the user stays signed in', async () => {
    const { client, asked } = makeClient({ lose: 1 })
    await client.connect('slack', { onUrl: click('lena') })
    harness.world.advance(minutes(31))
    expect(await client.list()).toMatchObject({ slack: { connected: true } })
    expect(refreshes(asked)).toBe(2)
    harness.world.advance(minutes(31))
    expect(await client.list()).toMatchObject({ slack: { connected: true } })
    expect(harness.said.join()).not.toContain('refresh_token_reused')
  })

  test('a refresh token that is used again after the grace window ends the session for both holders', async () => {
    const { client } = makeClient({ lose: 99 })
    await client.connect('slack', { onUrl: click('mona') })
    harness.world.advance(minutes(31))
    await expect(client.list()).rejects.toMatchObject({ code: 'refresh_failed' })
    harness.world.advance(minutes(1))
    await client.list().catch(() => {})
    expect(harness.said.join()).toContain('refresh_token_reused')
  })

  test.each([-24 * 60, -4, 4, 24 * 60])('a clock that is wrong by %i minutes has no effect', async (wrong) => {
    const { client, asked } = makeClient({ skewMs: minutes(wrong) })
    await client.connect('slack', { onUrl: click('nils') })
    for (let n = 0; n < 3; n++) expect(await client.list()).toMatchObject({ slack: { connected: true } })
    expect(refreshes(asked)).toBe(0)
    harness.world.advance(minutes(31))
    expect(await client.list()).toMatchObject({ slack: { connected: true } })
    expect(refreshes(asked)).toBe(1)
  })

  test('a machine that slept for six days refreshes once; after eight days the user must sign in', async () => {
    const { client, asked } = makeClient()
    await client.connect('slack', { onUrl: click('olga') })
    harness.world.advance(minutes(6 * 24 * 60))
    expect(await client.list()).toMatchObject({ slack: { connected: true } })
    expect(refreshes(asked)).toBe(1)
    harness.world.advance(minutes(8 * 24 * 60))
    await expect(client.list()).rejects.toMatchObject({ code: 'session_lost' })
  })

  test('signing out during a refresh wins, and the server rejects the new token', async () => {
    const { client } = makeClient()
    await client.connect('slack', { onUrl: click('paul') })
    harness.world.advance(minutes(31))
    const renewing = client.tokens.token().catch(() => 'none')
    await client.logout()
    expect(await harness.call('/connections', { bearer: await renewing })).toMatchObject({ status: 401 })
    await expect(client.list()).rejects.toMatchObject({ code: 'signed_out' })
  })

  test('a denial rejects with connect_denied, a device flow connects, and a lost session is reported', async () => {
    const { client } = makeClient()
    const no = client.connect('slack', {
      onUrl: async (url) => {
        const browser = harness.browser()
        await deny(browser, await browser.submit(await browser.open(url)))
      },
    })
    await expect(no).rejects.toMatchObject({ code: 'connect_denied' })

    const device = await client.connect('slack', {
      flow: 'device',
      onUrl: async (url) => {
        const browser = harness.browser()
        await allow(browser, await browser.submit(await browser.open(url), { confirm: 'yes' }), 'bob')
      },
    })
    expect(device).toMatchObject({ status: 'connected', accountId: 'bob' })

    const { hashOf } = await import('../../src/security/hashes.ts')
    const { sessionRef } = await import('../../src/security/keys.ts')
    await harness.world.store.erase(sessionRef(await hashOf(device.sessionId)).partition)
    await expect(client.list()).rejects.toMatchObject({ code: 'session_reset_required' })
    const again = await client.connect('slack', { onUrl: click('bob') })
    expect(again.sessionId).not.toBe(device.sessionId)
  })

  test('the client supports the three modes of ask', async () => {
    const { client } = makeClient()
    await client.connect('slack', { onUrl: click('cleo') })
    expect(await client.ask('hello')).toMatchObject({ status: 'completed', message: 'hello after 0' })
    const reply = await client.ask('Delete all', { confirm: true })
    if (reply.status !== 'confirmation_required') throw new Error(reply.status)
    expect(await client.confirm(reply.confirmationToken, true)).toMatchObject({
      status: 'completed',
      message: 'Delete all after 0',
    })
    const conversation = client.conversation()
    await conversation.ask('one')
    expect(await conversation.ask('two')).toMatchObject({ status: 'interactive_response', message: 'two after 2' })
  })
})
