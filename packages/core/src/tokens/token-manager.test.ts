import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import { memoryTokenStore } from './memory-token-store.ts'
import { manualEnvironment } from './testing/manual-environment.ts'
import { rotatingService } from './testing/rotating-service.ts'
import { signedIn } from './testing/signed-in.ts'
import { createTokenManager } from './token-manager.ts'
import type { TokenManagerOptions, TokenStore } from './types.ts'

const MINUTE = 60_000

const outcome = (promise: Promise<unknown>) => promise.catch((error: { code?: string }) => error.code ?? String(error))

describe('the refresh of a token', () => {
  test('is not needed for a valid token, which is returned without a read of the store', async () => {
    const reads: string[] = []
    const inner = memoryTokenStore()
    const store: TokenStore = {
      ...inner,
      read: (account) => {
        reads.push(account)
        return inner.read(account)
      },
    }
    const { tokens, service } = await signedIn({ store })
    reads.length = 0
    expect(await tokens.token()).toBe('access-0')
    expect(tokens.token()).toBe(tokens.token())
    expect([reads, service.seen]).toEqual([[], []])
  })

  test('happens once for 1,000 concurrent calls at expiry [Ma.1]', async () => {
    const { tokens, service, time } = await signedIn()
    await time.advance(30 * MINUTE)
    const all = await Promise.all(Array.from({ length: 1_000 }, () => tokens.token()))
    expect(new Set(all)).toEqual(new Set(['access-1']))
    expect(service.seen).toEqual(['refresh-0'])
  })

  test('yields a token that is returned without a read, also with a store that does not notify', async () => {
    let reads = 0
    const { subscribe: _none, ...inner } = memoryTokenStore()
    const read = (account: string) => {
      reads++
      return inner.read(account)
    }
    const { tokens, service, time } = await signedIn({ store: { ...inner, read } })
    await time.advance(30 * MINUTE)
    expect(await tokens.token()).toBe('access-1')
    reads = 0
    expect(await tokens.token()).toBe('access-1')
    expect([reads, service.seen]).toEqual([0, ['refresh-0']])
  })

  test('happens once, five minutes before expiry', async () => {
    const { tokens, service, time } = await signedIn()
    await time.advance(25 * MINUTE - 1)
    expect(await tokens.token()).toBe('access-0')
    await time.advance(1)
    expect(await tokens.token()).toBe('access-1')
    expect(service.seen).toHaveLength(1)
  })

  test('does not repeat constantly for a token with a lifetime of one minute', async () => {
    const time = manualEnvironment()
    const service = rotatingService({ now: time.env.now, lifetimeMs: MINUTE })
    const tokens = createTokenManager({ refresh: service.refresh, environment: time.env })
    await tokens.signIn(service.first())
    await time.advance(44_000)
    expect(await tokens.token()).toBe('access-0')
    await time.advance(2_000)
    expect(await tokens.token()).toBe('access-1')
  })

  test('happens at different moments on different clients [Mh.2]', async () => {
    const early = await Promise.all(
      [0, 0.25, 0.75].map(async (chance) => {
        const time = manualEnvironment()
        const service = rotatingService({ now: time.env.now })
        const tokens = createTokenManager({
          refresh: service.refresh,
          environment: { ...time.env, random: () => chance },
        })
        await tokens.signIn(service.first())
        let waited = 0
        for (; service.seen.length === 0; waited += 1_000) {
          await time.advance(1_000)
          await tokens.token()
        }
        return waited
      }),
    )
    expect(new Set(early).size).toBe(3)
  })
})

describe('another process that writes the same account', () => {
  test('has its refreshed token adopted, not refreshed again [Mc.1]', async () => {
    const { tokens, make, service, time } = await signedIn()
    const other = make()
    await time.advance(30 * MINUTE)
    expect(await other.token()).toBe('access-1')
    expect(await tokens.token()).toBe('access-1')
    expect(service.seen).toEqual(['refresh-0'])
  })

  test('has its tokens adopted after a rejection because it was faster [Md.1]', async () => {
    const { tokens, service, time, store } = await signedIn()
    await time.advance(30 * MINUTE)
    const open = service.pause()
    const mine = tokens.token()
    await time.settle()
    const before = await store.read('default')
    await store.write('default', before!.version, {
      ...before!,
      version: '2.other',
      tokens: { accessToken: 'theirs', refreshToken: 'r', expiresAt: time.env.now() + 30 * MINUTE },
    })
    service.revoke()
    open()
    expect(await mine).toBe('theirs')
    expect(tokens.status()).toBe('signed-in')
  })

  test('loses the session too after a rejection without a faster process', async () => {
    const { tokens, make, service, time } = await signedIn()
    const other = make()
    service.revoke()
    await time.advance(30 * MINUTE)
    expect(await outcome(tokens.token())).toBe('session_lost')
    expect(await outcome(other.token())).toBe('session_lost')
    expect([tokens.status(), other.status()]).toEqual(['lost', 'lost'])
    expect(service.seen).toHaveLength(1)
    expect(await tokens.data()).toEqual({})
  })

  test('has its valid token used without waiting for the lock', async () => {
    const asked: string[] = []
    const lock: TokenManagerOptions['lock'] = {
      run: async (name, _waitMs, task) => {
        asked.push(name)
        return { held: true, value: await task() }
      },
    }
    const { make, service } = await signedIn({ lock })
    expect(await make().token()).toBe('access-0')
    expect([asked, service.seen]).toEqual([[], []])
  })

  test('keeps its token if a sign-in here could not be written', async () => {
    const inner = memoryTokenStore()
    let full = false
    const store: TokenStore = {
      ...inner,
      write: (...args) => (full ? Promise.reject(new Error('the disk is full')) : inner.write(...args)),
    }
    const { tokens, service, time } = await signedIn({ store })
    full = true
    expect(await outcome(tokens.signIn(service.first()))).toContain('the disk is full')
    full = false
    await time.advance(26 * MINUTE)
    expect(await tokens.token()).toBe('access-1')
  })

  test('that lost its session reports it, even if the store does not notify', async () => {
    const { subscribe: _, ...store } = memoryTokenStore()
    const { tokens, service, time } = await signedIn({ store })
    const heard: string[] = []
    tokens.subscribe(() => heard.push(tokens.status()))
    service.revoke()
    await time.advance(30 * MINUTE)
    expect(await outcome(tokens.token())).toBe('session_lost')
    expect([tokens.status(), heard]).toEqual(['lost', ['lost']])
  })

  test('e: refreshes at once within the grace window, and both end with the same tokens', async () => {
    const { tokens, make, service, time, store } = await signedIn({ graceMs: 10_000 })
    const other = make()
    await time.advance(30 * MINUTE)
    expect(await Promise.all([tokens.token(), other.token()])).toEqual(['access-1', 'access-1'])
    expect(service.seen).toEqual(['refresh-0', 'refresh-0'])
    expect((await store.read('default'))?.tokens?.refreshToken).toBe('refresh-1')
  })

  test('has its extra data kept if it was stored during a refresh', async () => {
    const { tokens, make, service, time } = await signedIn()
    await time.advance(30 * MINUTE)
    const open = service.pause()
    const mine = tokens.token()
    await time.settle()
    await make().setData({ session_id: 's-1' })
    open()
    expect(await mine).toBe('access-1')
    expect(await tokens.data()).toEqual({ session_id: 's-1' })
  })
})

describe('e: signing out [Me.1]', () => {
  test.each(['here', 'elsewhere'])('wins against a refresh that runs %s', async (where) => {
    const revoked: string[] = []
    const { tokens, make, service, time, store } = await signedIn({
      revoke: async ({ accessToken }) => void revoked.push(accessToken),
    })
    const other = make()
    await time.advance(30 * MINUTE)
    const open = service.pause()
    const mine = outcome(tokens.token())
    await time.settle()
    await (where === 'here' ? tokens : other).signOut()
    open()
    expect(await mine).toBe('signed_out')
    expect((await store.read('default'))?.tokens).toBeNull()
    expect(await outcome(tokens.token())).toBe('signed_out')
    expect(revoked).toEqual(['access-0', 'access-1'])
  })

  test('returns no token while it is being written', async () => {
    const inner = memoryTokenStore()
    let slow: Promise<void> = Promise.resolve()
    const store: TokenStore = {
      ...inner,
      write: async (...args) => {
        await slow
        return inner.write(...args)
      },
    }
    const { tokens } = await signedIn({ store })
    let go = () => {}
    slow = new Promise((resolve) => {
      go = resolve
    })
    const leaving = tokens.signOut()
    const asked = outcome(tokens.token())
    go()
    await leaving
    expect(await asked).toBe('signed_out')
  })

  test('wins against fifty concurrent refreshes that began before [Me.2]', async () => {
    for (let seed = 0; seed < 20; seed++) {
      const { tokens, make, service, time, store } = await signedIn({ graceMs: 10_000 })
      await time.advance(30 * MINUTE)
      const open = service.pause()
      const calls = Array.from({ length: 50 }, () => outcome(make().token()))
      for (let n = 0; n < seed * 3; n++) await Promise.resolve()
      const leaving = tokens.signOut()
      open()
      await Promise.all([leaving, ...calls])
      expect((await store.read('default'))?.tokens).toBeNull()
    }
  })

  test('keeps the extra data, and signing in again works', async () => {
    const { tokens, service } = await signedIn()
    await tokens.setData({ session_id: 's-1', other: 'x' })
    await tokens.setData({ other: undefined })
    await tokens.signOut()
    expect(await tokens.data()).toEqual({ session_id: 's-1' })
    await tokens.signIn(service.first())
    expect([await tokens.token(), tokens.status()]).toEqual(['access-0', 'signed-in'])
  })
})

describe('the network of a refresh', () => {
  test('loses a response: the request is repeated at once, inside the grace window', async () => {
    const { tokens, service, time } = await signedIn({ graceMs: 10_000 })
    await time.advance(30 * MINUTE)
    service.fail('lost-answer')
    const mine = tokens.token()
    await time.advance(1_000)
    expect(await mine).toBe('access-1')
    expect([service.seen, service.isRevoked()]).toEqual([['refresh-0', 'refresh-0'], false])
  })

  test('f: fails during an early refresh: the session is kept, and a refresh is tried again after a pause [Mf.1]', async () => {
    const { tokens, service, time } = await signedIn()
    await time.advance(26 * MINUTE)
    service.fail('network', 'server-error')
    const mine = tokens.token()
    await time.advance(1_000)
    expect(await mine).toBe('access-0')
    expect(service.seen).toHaveLength(2)
    await time.advance(20_000)
    expect(await tokens.token()).toBe('access-0')
    expect([service.seen.length, tokens.status()]).toEqual([2, 'signed-in'])
    await time.advance(30_000)
    expect(await tokens.token()).toBe('access-1')
  })

  test('hangs: the request times out, and the expired session is kept', async () => {
    const { tokens, service, time } = await signedIn({ refreshTimeoutMs: 4_000 })
    await time.advance(31 * MINUTE)
    service.fail('hang', 'hang')
    const mine = outcome(tokens.token())
    await time.advance(10_000)
    expect(await mine).toBe('refresh_failed')
    expect(await tokens.token()).toBe('access-1')
  })

  test('returns a final error: the request is not repeated', async () => {
    const time = manualEnvironment()
    let asked = 0
    const tokens = createTokenManager({
      environment: time.env,
      refresh: async () => {
        asked++
        throw Object.assign(new Error('slow down'), { status: 429 })
      },
    })
    await tokens.signIn({ accessToken: 'a', refreshToken: 'r', expiresAt: time.env.now() })
    expect(await outcome(tokens.token())).toBe('refresh_failed')
    expect(asked).toBe(1)
  })

  test('a token without a refresh token is used until it expires', async () => {
    const { tokens, time } = await signedIn()
    await tokens.signIn({ accessToken: 'only', expiresAt: time.env.now() + MINUTE })
    await time.advance(50_000)
    expect(await tokens.token()).toBe('only')
    await time.advance(11_000)
    expect(await outcome(tokens.token())).toBe('session_lost')
  })
})

test('with an HttpOnly cookie the manager refreshes without a refresh token, and a rejection means signed out', async () => {
  const time = manualEnvironment()
  let cookie = true
  const tokens = createTokenManager({
    environment: time.env,
    refreshBy: 'cookie',
    refresh: async (held) => {
      expect(held?.refreshToken).toBeUndefined()
      if (!cookie) throw Object.assign(new Error(), { error: 'invalid_grant' })
      return { accessToken: `at-${time.env.now()}`, expiresAt: time.env.now() + 30 * MINUTE }
    },
  })
  const first = await tokens.token()
  await time.advance(40 * MINUTE)
  expect(await tokens.token()).not.toBe(first)
  await tokens.signOut()
  expect(await outcome(tokens.token())).toBe('signed_out')
  cookie = false
  const visitor = createTokenManager({
    environment: time.env,
    refreshBy: 'cookie',
    refresh: async () => Promise.reject({ code: 'invalid_grant' }),
  })
  expect([await outcome(visitor.token()), visitor.status()]).toEqual(['signed_out', 'signed-out'])
})

test('listeners are notified of changes, and not after they unsubscribed', async () => {
  const { tokens, make } = await signedIn()
  const heard: string[] = []
  const leave = tokens.subscribe(() => heard.push(tokens.status()))
  await make().signOut()
  await new Promise((done) => setTimeout(done))
  leave()
  await tokens.signIn({ accessToken: 'x' })
  expect(heard).toEqual(['signed-out'])
})

test('an inspected or serialized manager shows no token', async () => {
  const { tokens, service, time } = await signedIn()
  service.fail('network', 'server-error')
  await time.advance(31 * MINUTE)
  const failing = tokens.token().catch((error: unknown) => error)
  await time.advance(5_000)
  const shown =
    inspect([tokens, await failing], { depth: Infinity, showHidden: true }) + JSON.stringify([tokens, await failing])
  expect(shown).toContain('refresh_failed')
  expect(shown).not.toMatch(/(access|refresh)-\d/)
})
