import { HoldpointError, type HoldpointErrorCode } from '@holdpoint/core'
import { decodeJwt } from 'jose'
import { beforeEach, describe, expect, test } from 'vitest'
import { createWorld, days, SECRET, seconds, type World } from '../../test/accounts/support/world.ts'
import { createJwt, type JwtClaims } from './jwt.ts'
import { accountRef, familyRef, userPartition } from './keys.ts'
import { createSessionTokens, isTokenRefusal, type SessionTokenOptions, type SessionTokens } from './session-tokens.ts'

let world: World
let tokens: SessionTokens
const ISSUER = 'https://app.example'
const ada = { userId: 'ada', tenant: 'acme' }
const family = (letter: string) => letter.repeat(32)

const make = (options: Partial<SessionTokenOptions> = {}) =>
  createSessionTokens(world, { secrets: [SECRET], issuer: ISSUER, now: world.now, ...options })

beforeEach(() => {
  world = createWorld()
  tokens = make()
})

describe('issuing tokens', () => {
  test('issuing the same family again returns the same first pair until it is used or ended', async () => {
    const pair = await tokens.issue(ada, 'session_1', family('a'))
    expect(await tokens.issue(ada, 'another', family('a'))).toEqual(pair)
    await tokens.refresh(pair!.refreshToken)
    expect(await tokens.issue(ada, 'session_1', family('a'))).toBeNull()
    await tokens.issue(ada, 'session_1', family('b'))
    await tokens.logout(family('b'))
    expect(await tokens.issue(ada, 'session_1', family('b'))).toBeNull()
  })

  test('a user without a tenant has none in the token either', async () => {
    const pair = await tokens.issue({ userId: 'bob' }, 'session_1', family('a'))
    expect(decodeJwt(pair!.token)).toMatchObject({ sub: 'bob', sid: 'session_1', iss: ISSUER, aud: ISSUER })
    expect(decodeJwt(pair!.token)).not.toHaveProperty('tenant')
    expect((await tokens.verify(pair!.token)).principal).toEqual({ userId: 'bob' })
  })

  test('audience, lifetime and refresh times can be set separately', async () => {
    tokens = make({ audience: 'api', lifetimeSeconds: 60, refresh: { idleMs: days(1) } })
    const pair = await tokens.issue(ada, 'session_1', family('a'))
    const { aud, exp, iat } = decodeJwt(pair!.token)
    expect([aud, Number(exp) - Number(iat)]).toEqual(['api', 60])
    const next = await tokens.refresh(pair!.refreshToken)
    world.advance(seconds(9))
    expect(await tokens.refresh(pair!.refreshToken)).toEqual(next)
    world.advance(days(1))
    await expect(tokens.refresh(next.refreshToken)).rejects.toMatchObject({ code: 'refresh_token_expired' })
  })

  test('derives an id from a secret: always the same one, with 32 hexadecimal digits', async () => {
    const id = await tokens.familyIdFrom('secret')
    expect(id).toMatch(/^[0-9a-f]{32}$/)
    expect([await tokens.familyIdFrom('secret'), await tokens.familyIdFrom('other')]).toEqual([
      id,
      expect.not.stringMatching(id),
    ])
  })
})

describe('invalid tokens', () => {
  const sign = (claims: JwtClaims) =>
    createJwt({
      secrets: [SECRET],
      typ: 'holdpoint-session+jwt',
      issuer: ISSUER,
      audience: ISSUER,
      lifetimeSeconds: 1_800,
      now: world.now,
    }).sign(claims)

  test('without a session are rejected, and a tenant that is not text is ignored', async () => {
    const claims = { sub: 'ada', jti: `${family('a')}.0` }
    await expect(tokens.verify(await sign(claims))).rejects.toMatchObject({ code: 'token_invalid' })
    await tokens.issue(ada, 's', family('a'))
    const odd = await tokens.verify(await sign({ ...claims, sid: 's', tenant: 7 }))
    expect(odd).toEqual({ principal: { userId: 'ada' }, sessionId: 's', familyId: family('a') })
  })

  test('of an unknown or removed family are rejected as logged out', async () => {
    const pair = await tokens.issue(ada, 'session_1', family('a'))
    await world.store.erase(familyRef(family('a')).partition)
    await expect(tokens.verify(pair!.token)).rejects.toMatchObject({ code: 'token_revoked' })
    await expect(tokens.refresh(pair!.refreshToken)).rejects.toMatchObject({ code: 'refresh_token_invalid' })
    await expect(tokens.logoutByRefreshToken(pair!.refreshToken)).rejects.toMatchObject({
      code: 'refresh_token_invalid',
    })
  })

  test('of a family that is removed during a check are rejected', async () => {
    const pair = await tokens.issue(ada, 'session_1', family('a'))
    const { load } = world.store
    world.store.load = async (refs) => {
      const found = await load(refs)
      await world.store.erase(familyRef(family('a')).partition)
      return found
    }
    await expect(tokens.refresh(pair!.refreshToken)).rejects.toMatchObject({ code: 'refresh_token_invalid' })
  })

  test('that are guessed sign no user out', async () => {
    const pair = await tokens.issue(ada, 'session_1', family('a'))
    for (const guess of ['', `${pair!.refreshToken.slice(0, -1)}${pair!.refreshToken.endsWith('0') ? 1 : 0}`])
      await expect(tokens.logoutByRefreshToken(guess)).rejects.toMatchObject({ code: 'refresh_token_invalid' })
    expect((await tokens.verify(pair!.token)).principal).toEqual(ada)
  })
})

describe('logging out', () => {
  test('of an unknown family creates no family', async () => {
    await tokens.logout(family('a'))
    expect(world.dump()).toBe('')
  })

  test('a family that ended because of reuse stays ended, and onReuse is optional', async () => {
    const pair = await tokens.issue(ada, 'session_1', family('a'))
    await tokens.refresh(pair!.refreshToken)
    world.advance(seconds(11))
    await expect(tokens.refresh(pair!.refreshToken)).rejects.toMatchObject({ code: 'refresh_token_reused' })
    const { rows: before } = await world.store.load([familyRef(family('a'))])
    await tokens.logout(family('a'))
    await tokens.logoutUser(ada)
    expect((await world.store.load([familyRef(family('a'))])).rows).toEqual(before)
    expect(JSON.parse(before[0]!.data)).toMatchObject({ revoked: 'reuse' })
  })

  test('of a user covers all pages, and no other rows that carry the user’s name', async () => {
    const pairs = await Promise.all(['a', 'b', 'c'].map((letter) => tokens.issue(ada, 'session_1', family(letter))))
    const account = accountRef(ada, 'slack')
    const { partition, ...row } = account
    await world.store.commit({ partition, puts: [{ ...row, data: '{"kept":1}', tags: [userPartition(ada)] }] })
    const { byTag } = world.store
    const pages: unknown[] = []
    world.store.byTag = (tag, options) => {
      pages.push(options)
      return byTag(tag, { ...options, limit: 1 })
    }
    await tokens.logoutUser(ada)
    for (const pair of pairs) await expect(tokens.verify(pair!.token)).rejects.toMatchObject({ code: 'token_revoked' })
    expect((await world.store.load([account])).rows[0]).toMatchObject({ version: 1, data: '{"kept":1}' })
    expect(pages.length).toBeGreaterThanOrEqual(4)
    expect(pages[0]).not.toHaveProperty('after')
  })
})

test.each([
  ['token_invalid', true],
  ['token_expired', true],
  ['token_revoked', true],
  ['refresh_token_reused', true],
  ['store_unavailable', false],
  ['no_token_here', false],
])('a token with %s is rejected with %s', (code, refusal) => {
  expect(isTokenRefusal(new HoldpointError(code as HoldpointErrorCode, 'x'))).toBe(refusal)
  expect(isTokenRefusal(Object.assign(new Error('x'), { code }))).toBe(false)
})
