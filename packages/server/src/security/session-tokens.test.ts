import { decodeJwt } from 'jose'
import { beforeEach, expect, test } from 'vitest'
import { createWorld, days, SECRET, seconds, type World } from '../../test/accounts/support/world.ts'
import { createSessionTokens, type SessionTokens } from './session-tokens.ts'

let world: World
let tokens: SessionTokens
let reused: string[]
const ada = { userId: 'ada', tenant: 'acme' }

const make = (secrets = [SECRET]) =>
  createSessionTokens(world, {
    secrets,
    issuer: 'https://app.example',
    now: world.now,
    onReuse: ({ userId }) => reused.push(userId),
  })

const begin = async (family = 'f'.repeat(32)) => {
  const pair = await tokens.issue(ada, 'session_1', family)
  if (!pair) throw new Error('no pair')
  return pair
}

beforeEach(() => {
  world = createWorld()
  reused = []
  tokens = make()
})

test('a session token lives 30 minutes and names its user', async () => {
  const { token } = await begin()
  const { exp, iat } = decodeJwt(token)
  expect(Number(exp) - Number(iat)).toBe(30 * 60)
  expect(await tokens.verify(token)).toEqual({ principal: ada, sessionId: 'session_1', familyId: 'f'.repeat(32) })
  world.advance(31 * 60_000)
  await expect(tokens.verify(token)).rejects.toMatchObject({ code: 'token_expired' })
})

test('tokens: refreshing returns a new pair, which works', async () => {
  const first = await begin()
  const second = await tokens.refresh(first.refreshToken)
  expect(second.refreshToken).not.toBe(first.refreshToken)
  const third = await tokens.refresh(second.refreshToken)
  expect(await tokens.verify(third.token)).toMatchObject({ principal: ada })
})

test('tokens: the parent token within 10 s returns the current pair, byte for byte (a lost response) [J2.1]', async () => {
  const first = await begin()
  const second = await tokens.refresh(first.refreshToken)
  world.advance(seconds(9))
  expect(await tokens.refresh(first.refreshToken)).toEqual(second)
  expect(reused).toEqual([])
})

test('tokens: a grandparent token within 10 s returns the current pair too', async () => {
  const first = await begin()
  const second = await tokens.refresh(first.refreshToken)
  const third = await tokens.refresh(second.refreshToken)
  expect(await tokens.refresh(first.refreshToken)).toEqual(third)
})

test('tokens: a parent token after 10 s revokes the family, including the current token [J2.2]', async () => {
  const first = await begin()
  const second = await tokens.refresh(first.refreshToken)
  world.advance(seconds(11))
  await expect(tokens.refresh(first.refreshToken)).rejects.toMatchObject({ code: 'refresh_token_reused' })
  expect(reused).toEqual(['ada'])
  await expect(tokens.refresh(second.refreshToken)).rejects.toMatchObject({ code: 'refresh_token_reused' })
  await expect(tokens.verify(second.token)).rejects.toMatchObject({ code: 'token_revoked' })
})

test('50 concurrent refreshes make one rotation and return the same pair', async () => {
  const first = await begin()
  const pairs = await Promise.all(Array.from({ length: 50 }, () => tokens.refresh(first.refreshToken)))
  expect(new Set(pairs.map((pair) => JSON.stringify(pair))).size).toBe(1)
  world.advance(seconds(60))
  await expect(tokens.refresh(pairs[0]?.refreshToken ?? '')).resolves.toBeTruthy()
})

test('tokens: a family ends after 7 days without use, and after 30 days in any case [J2.3]', async () => {
  let { refreshToken } = await begin()
  for (let day = 0; day < 28; day += 4) {
    world.advance(days(4))
    refreshToken = (await tokens.refresh(refreshToken)).refreshToken
  }
  world.advance(days(2))
  await expect(tokens.refresh(refreshToken)).rejects.toMatchObject({ code: 'refresh_token_expired' })

  const other = await begin('e'.repeat(32))
  world.advance(days(7))
  await expect(tokens.refresh(other.refreshToken)).rejects.toMatchObject({ code: 'refresh_token_expired' })
})

test('a guessed token of a known family is rejected and revokes nothing', async () => {
  const first = await begin()
  const guesses = [`${'f'.repeat(32)}00000000${'0'.repeat(64)}`, `${'f'.repeat(32)}ffffffff${'1'.repeat(64)}`, 'x', '']
  for (const guess of guesses) {
    await expect(tokens.refresh(guess)).rejects.toMatchObject({ code: 'refresh_token_invalid' })
  }
  await expect(tokens.refresh(first.refreshToken)).resolves.toBeTruthy()
})

test('logout revokes both tokens at once, also with the refresh token', async () => {
  const pair = await begin()
  await tokens.logout((await tokens.verify(pair.token)).familyId)
  await expect(tokens.verify(pair.token)).rejects.toMatchObject({ code: 'token_revoked' })
  await expect(tokens.refresh(pair.refreshToken)).rejects.toMatchObject({ code: 'refresh_token_reused' })
  expect(reused).toEqual([])

  const other = await begin('e'.repeat(32))
  await tokens.logoutByRefreshToken(other.refreshToken)
  await expect(tokens.verify(other.token)).rejects.toMatchObject({ code: 'token_revoked' })
})

test('tokens: signing out during a refresh wins', async () => {
  for (let i = 0; i < 20; i++) {
    const family = `${i}`.padStart(32, '0')
    const pair = await begin(family)
    const [refreshed] = await Promise.allSettled([tokens.refresh(pair.refreshToken), tokens.logout(family)])
    const last = refreshed.status === 'fulfilled' ? refreshed.value : pair
    await expect(tokens.verify(last.token)).rejects.toMatchObject({ code: 'token_revoked' })
    await expect(tokens.refresh(last.refreshToken)).rejects.toMatchObject({ code: 'refresh_token_reused' })
  }
})

test('logging a user out ends all families of that user and of no other user', async () => {
  const mine = await Promise.all(['a', 'b', 'c'].map((letter) => begin(letter.repeat(32))))
  const bob = await tokens.issue({ userId: 'bob', tenant: 'acme' }, 'session_2', 'd'.repeat(32))
  await tokens.logoutUser(ada)
  for (const pair of mine) await expect(tokens.verify(pair.token)).rejects.toMatchObject({ code: 'token_revoked' })
  await expect(tokens.verify(bob?.token ?? '')).resolves.toBeTruthy()
})

test('threat 20: the store contains no part of a token [T20.3]', async () => {
  const first = await begin()
  const second = await tokens.refresh(first.refreshToken)
  for (const { token, refreshToken } of [first, second]) {
    expect(world.dump()).not.toContain(token)
    expect(world.dump()).not.toContain(refreshToken)
    expect(world.dump()).not.toContain(refreshToken.slice(40))
  }
})

test('a secret can be rotated without ending a session, and an unknown secret makes no valid token', async () => {
  const { refreshToken } = await begin()
  const next = 'the next secret is also more than thirty-two bytes'
  await expect(make([next]).refresh(refreshToken)).rejects.toMatchObject({ code: 'refresh_token_invalid' })
  tokens = make([next, SECRET])
  const pair = await tokens.refresh(refreshToken)
  await expect(make([next]).refresh(pair.refreshToken)).resolves.toBeTruthy()
})
