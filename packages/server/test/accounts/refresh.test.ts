import { type AccountBroker, createGuardedFetch } from '@holdpoint/server/accounts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { connectAs, createHarness, type Harness } from './support/harness.ts'
import { gate, minutes, seconds } from './support/world.ts'

let harness: Harness
const owner = (name: string) => ({ userId: name })
const refreshes = () => harness.local.grants.refresh_token ?? 0

beforeAll(async () => {
  harness = await createHarness({}, { accessTokenSeconds: 600 })
})
afterAll(() => harness.close())
beforeEach(() => harness.local.failTokens(0))

const works = async (token: string) => {
  const headers = { authorization: `Bearer ${token}` }
  return (await fetch(`${harness.local.url}/api/chat.postMessage`, { method: 'POST', headers, body: '{}' })).ok
}

describe('a service with strict rotation, which ends the family at a second use of a refresh token', () => {
  test('receives one refresh for 1,000 calls at expiry', async () => {
    await connectAs(harness, 'ann')
    const before = await harness.broker.token(owner('ann'), 'slack')
    harness.world.advance(minutes(11))
    const count = refreshes()
    const calls = harness.world.calls()
    const tokens = await Promise.all(Array.from({ length: 1_000 }, () => harness.broker.token(owner('ann'), 'slack')))
    expect(new Set(tokens).size).toBe(1)
    expect(tokens[0]).not.toBe(before)
    expect(refreshes() - count).toBe(1)
    expect(await works(tokens[0] ?? '')).toBe(true)
    expect(harness.world.calls() - calls).toBeLessThan(20)
  })

  test('receives one refresh each time from five nodes with 10 callers each', async () => {
    await connectAs(harness, 'ben')
    const nodes = [harness.broker, ...Array.from({ length: 4 }, () => harness.node())]
    for (let round = 0; round < 5; round++) {
      harness.world.advance(minutes(11))
      const count = refreshes()
      const calls = nodes.flatMap((node) => Array.from({ length: 10 }, () => node.token(owner('ben'), 'slack')))
      expect(new Set(await Promise.all(calls)).size).toBe(1)
      expect(refreshes() - count).toBe(1)
    }
    expect(await works(await harness.broker.token(owner('ben'), 'slack'))).toBe(true)
  })

  test('a token that expires soon is refreshed early, and other callers use it during the refresh', async () => {
    await connectAs(harness, 'cat')
    const first = await harness.broker.token(owner('cat'), 'slack')
    harness.world.advance(minutes(8) + seconds(1))
    const count = refreshes()
    const [a, b] = await Promise.all([harness.broker, harness.node()].map((node) => node.token(owner('cat'), 'slack')))
    expect(refreshes() - count).toBe(1)
    expect([a, b].filter((token) => token !== first).length).toBeGreaterThanOrEqual(1)
    expect(await harness.broker.token(owner('cat'), 'slack')).not.toBe(first)
  })

  test('a sign-out wins over a refresh in progress', async () => {
    for (let round = 0; round < 5; round++) {
      await connectAs(harness, 'dan')
      harness.world.advance(minutes(11))
      await Promise.allSettled([
        harness.broker.token(owner('dan'), 'slack'),
        harness.node().disconnect(owner('dan'), 'slack'),
      ])
      expect(await harness.broker.status(owner('dan'), 'slack')).toEqual({ state: 'missing' })
      await expect(harness.broker.token(owner('dan'), 'slack')).rejects.toMatchObject({ code: 'account_missing' })
    }
  })

  test('a sign-out while the service answers a refresh drops the new token and revokes it at the service', async () => {
    await connectAs(harness, 'dot')
    harness.world.advance(minutes(11))
    const { slack } = harness.local
    const asked = gate()
    const answer = gate()
    const guarded = createGuardedFetch({ allowLoopback: true })
    const revoked: string[] = []
    const slow = harness.node({
      async fetch(url, request) {
        if (`${url}` === slack.revocationEndpoint) revoked.push(`${request?.body}`)
        const response = await guarded(url, request)
        if (`${url}` !== slack.tokenEndpoint) return response
        asked.open()
        await answer.passed
        return response
      },
    })
    const late = slow.token(owner('dot'), 'slack')
    await asked.passed
    await harness.broker.disconnect(owner('dot'), 'slack')
    answer.open()
    await expect(late).rejects.toMatchObject({ code: 'account_missing' })
    expect(await harness.broker.status(owner('dot'), 'slack')).toEqual({ state: 'missing' })
    expect(revoked).toHaveLength(1)
  })

  test('an account that the service revoked is expired, reported once, and restored by connecting again', async () => {
    await connectAs(harness, 'eli')
    await harness.local.revokeAll()
    harness.world.advance(minutes(11))
    const heard: string[] = []
    const stop = harness.broker.changes(({ type }) => heard.push(type))
    const tries = await Promise.allSettled(
      Array.from({ length: 10 }, () => harness.broker.token(owner('eli'), 'slack')),
    )
    expect(tries.every(({ status }) => status === 'rejected')).toBe(true)
    expect(await harness.broker.status(owner('eli'), 'slack')).toEqual({ state: 'expired' })
    expect(heard).toEqual(['expired'])
    expect(await harness.broker.list(owner('eli'))).toMatchObject({ slack: { connected: false, reconnect: true } })
    stop()
    await connectAs(harness, 'eli')
    expect(await works(await harness.broker.token(owner('eli'), 'slack'))).toBe(true)
  })

  test('token manager g: a token that the service answered with 401 is refreshed once for all callers', async () => {
    await connectAs(harness, 'fil')
    const bad = await harness.broker.token(owner('fil'), 'slack')
    const count = refreshes()
    await Promise.all(Array.from({ length: 5 }, () => harness.broker.reject(owner('fil'), 'slack', bad)))
    const good = await harness.broker.token(owner('fil'), 'slack')
    expect(good).not.toBe(bad)
    // Said late, of a token that was replaced already: nothing happens.
    await harness.broker.reject(owner('fil'), 'slack', bad)
    expect(await harness.broker.token(owner('fil'), 'slack')).toBe(good)
    expect(refreshes() - count).toBe(1)
  })
})

describe('faults of the service', () => {
  test('token manager f: a failed early refresh keeps the valid token, and is repeated after a pause', async () => {
    await connectAs(harness, 'gil')
    const live = await harness.broker.token(owner('gil'), 'slack')
    harness.world.advance(minutes(8) + seconds(1))
    harness.local.failTokens(1)
    const count = refreshes()
    expect(await harness.broker.token(owner('gil'), 'slack')).toBe(live)
    expect(await harness.broker.token(owner('gil'), 'slack')).toBe(live)
    expect(refreshes() - count).toBe(0)
    harness.world.advance(seconds(31))
    expect(await harness.broker.token(owner('gil'), 'slack')).not.toBe(live)
  })

  test.each([500, 503, 429])(
    'a failed refresh of an expired token names the status %i of the service, and keeps the account',
    async (status) => {
      const name = `hua${status}`
      await connectAs(harness, name)
      harness.world.advance(minutes(11))
      harness.local.failTokens(1, status)
      await expect(harness.broker.token(owner(name), 'slack')).rejects.toMatchObject({
        code: 'accounts_unavailable',
      })
      expect(await harness.broker.status(owner(name), 'slack')).toMatchObject({ state: 'connected' })
      harness.world.advance(seconds(31))
      expect(await works(await harness.broker.token(owner(name), 'slack'))).toBe(true)
    },
  )

  test('a refresh whose node died is taken over by another node after the lease has expired', async () => {
    await connectAs(harness, 'ida')
    harness.world.advance(minutes(11))
    const dead = harness.node({ fetch: () => new Promise<Response>(() => {}) })
    void dead.token(owner('ida'), 'slack')
    await new Promise((done) => setTimeout(done, 50))
    const waiting = harness.broker.token(owner('ida'), 'slack')
    await new Promise((done) => setTimeout(done, 150))
    harness.world.advance(seconds(31))
    expect(await works(await waiting)).toBe(true)
  })

  test('a token is kept and used if the store loses the acknowledgment of its commit', async () => {
    await connectAs(harness, 'jan')
    harness.world.advance(minutes(11))
    let lose = 2
    const store = {
      ...harness.world.store,
      async commit(item: Parameters<typeof harness.world.store.commit>[0]) {
        const result = await harness.world.store.commit(item)
        if (lose-- > 0)
          throw Object.assign(new Error('gone'), { code: 'store_unavailable', details: { applied: 'unknown' } })
        return result
      },
    }
    const flaky: AccountBroker = harness.node({ store })
    const count = refreshes()
    expect(await works(await flaky.token(owner('jan'), 'slack'))).toBe(true)
    expect(refreshes() - count).toBe(1)
    expect(await works(await harness.broker.token(owner('jan'), 'slack'))).toBe(true)
  })
})
