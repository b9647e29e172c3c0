import { expect, test } from 'vitest'
import { signedIn } from './testing/signed-in.ts'
import type { TokenLock, TokenManagerOptions } from './types.ts'

const MINUTE = 60_000

/** Another process holds the lock for longer than the timeout. */
async function stuck(options: Partial<TokenManagerOptions> = {}) {
  const asked: [name: string, waitMs: number][] = []
  const lock: TokenLock = {
    run: async (name, waitMs) => {
      asked.push([name, waitMs])
      return { held: false }
    },
  }
  return { asked, ...(await signedIn({ lock, ...options })) }
}

test('a valid token is used while another process holds the lock, and for a while no call waits for the lock again', async () => {
  const { tokens, time, service, asked } = await stuck({ cooldownMs: 40_000, lockWaitMs: 5_000 })
  await time.advance(26 * MINUTE)
  expect([await tokens.token(), asked]).toEqual(['access-0', [['holdpoint:token:default', 5_000]]])
  // By chance up to a quarter longer than asked; the chance here is a half.
  await time.advance(45_000 - 1)
  expect([await tokens.token(), asked.length]).toEqual(['access-0', 1])
  await time.advance(1)
  expect([await tokens.token(), asked.length]).toEqual(['access-0', 2])
  expect(service.seen).toEqual([])
})

test('an expired token is refreshed without the lock if the holder hangs', async () => {
  const { tokens, time, service, asked } = await stuck()
  await time.advance(30 * MINUTE)
  expect(await tokens.token()).toBe('access-1')
  expect([service.seen, asked]).toEqual([['refresh-0'], [['holdpoint:token:default', 12_000]]])
})

test('a rejected token is refreshed without the lock, whatever its lifetime', async () => {
  const { tokens, service } = await stuck()
  expect(await tokens.renew('access-0')).toBe('access-1')
  expect(service.seen).toEqual(['refresh-0'])
})

test('a token that the lock’s holder refreshed is used', async () => {
  const { tokens, time, store, service } = await stuck()
  await time.advance(30 * MINUTE)
  const { version, data } = (await store.read('default'))!
  const theirs = { accessToken: 'theirs', refreshToken: 'r', expiresAt: time.env.now() + MINUTE }
  await store.write('default', version, { version: `2.${version}`, data, tokens: theirs })
  expect([await tokens.token(), service.seen]).toEqual(['theirs', []])
})

test('a sign-out by another process wins', async () => {
  const { tokens, time, store } = await stuck()
  await time.advance(30 * MINUTE)
  const { version, data } = (await store.read('default'))!
  await store.write('default', version, { version: `2.${version}`, data, tokens: null })
  await expect(tokens.token()).rejects.toMatchObject({ code: 'signed_out' })
})

test('each account has its own lock', async () => {
  const { tokens, time, asked } = await stuck({ account: 'slack' })
  await time.advance(30 * MINUTE)
  await tokens.token()
  expect(asked.map(([name]) => name)).toEqual(['holdpoint:token:slack'])
})
