import { describe, expect, test } from 'vitest'
import { freshUntil, isLive, later, type NextStep, nextStep, versionAfter } from './freshness.ts'
import type { AccountRecord, TokenSet } from './types.ts'

const record = (tokens: Partial<TokenSet> | null, more: Partial<AccountRecord> = {}): AccountRecord => ({
  version: '1.a',
  tokens: tokens && { accessToken: 'held', ...tokens },
  data: {},
  ...more,
})

test('a version continues the previous count, and an invalid one restarts it', () => {
  expect(versionAfter('7.other', 'mine')).toBe('8.mine')
  const beyond = `${Number.MAX_SAFE_INTEGER + 2}.other`
  for (const none of [null, undefined, '', 'other', '-4.other', '0.other', beyond])
    expect(versionAfter(none, 'mine')).toBe('1.mine')
})

describe('the later of two copies is kept, in either order', () => {
  const out = (version: string) => record(null, { version })
  const held = (version: string) => record({}, { version })
  test.each<[string, AccountRecord | null, AccountRecord | null]>([
    ['the copy with the higher count, compared as a number', held('10.a'), held('9.z')],
    ['the copy with the higher count, although the other one signs out', held('3.a'), out('2.a')],
    ['the one of two simultaneous copies that signs out', out('2.a'), held('2.b')],
    ['the one of two simultaneous copies with the greater random part', held('2.b'), held('2.a')],
    ['the existing copy, if the other one is missing', held('1.a'), null],
    ['null, if both are missing', null, null],
  ])('%s', (_, kept, other) => {
    expect(later(kept, other)).toBe(kept)
    expect(later(other, kept)).toBe(kept)
  })
})

test('a token is fresh until its head start, at most a quarter of its life before its end', () => {
  const at = (tokens: Partial<TokenSet>, earlyMs: number) => freshUntil({ accessToken: 'a', ...tokens }, earlyMs)
  expect(at({}, 300)).toBe(Infinity)
  expect(at({ expiresAt: 10_000, obtainedAt: 0 }, 300)).toBe(9_700)
  expect(at({ expiresAt: 1_000, obtainedAt: 0 }, 300)).toBe(750)
  expect(at({ expiresAt: 1_000 }, 300)).toBe(700)
  expect([isLive({ accessToken: 'a', expiresAt: 5 }, 4), isLive({ accessToken: 'a', expiresAt: 5 }, 5)]).toEqual([
    true,
    false,
  ])
  expect(isLive({ accessToken: 'a' }, 1e15)).toBe(true)
})

describe('the next step for a stored record', () => {
  const soon = { expiresAt: 1_000 }
  test.each<[string, AccountRecord | null, string | undefined, number, 'token' | 'cookie', NextStep]>([
    ['no record means signed out', null, undefined, 0, 'token', 'signed-out'],
    ['no record means a refresh if a cookie may exist', null, undefined, 0, 'cookie', 'refresh'],
    ['a sign-out means signed out', record(null), undefined, 0, 'token', 'signed-out'],
    ['a sign-out means signed out, regardless of a cookie', record(null), undefined, 0, 'cookie', 'signed-out'],
    ['a lost session stays lost', record(null, { lost: true }), undefined, 0, 'cookie', 'lost'],
    ['a fresh token is used', record(soon), undefined, 899, 'token', 'use'],
    ['a token that is due is used if it cannot be refreshed', record(soon), undefined, 900, 'token', 'use'],
    ['a token that is due is refreshed', record({ ...soon, refreshToken: 'r' }), undefined, 900, 'token', 'refresh'],
    ['a token that is due is refreshed by cookie', record(soon), undefined, 900, 'cookie', 'refresh'],
    ['an expired token that cannot be refreshed means expired', record(soon), undefined, 1_000, 'token', 'expired'],
    ['an expired token is refreshed', record({ ...soon, refreshToken: 'r' }), undefined, 1_000, 'token', 'refresh'],
    [
      'a fresh token that was rejected is refreshed',
      record({ ...soon, refreshToken: 'r' }),
      'held',
      0,
      'token',
      'refresh',
    ],
    ['a fresh token that was rejected is refreshed by cookie', record(soon), 'held', 0, 'cookie', 'refresh'],
    ['a rejected token without a refresh token means expired', record(soon), 'held', 0, 'token', 'expired'],
    ['a fresh token is used if another token was rejected', record(soon), 'before', 0, 'token', 'use'],
  ])('%s', (_, found, rejected, now, refreshBy, step) => {
    expect(nextStep(found, rejected, now, { earlyMs: 100, refreshBy })).toBe(step)
  })
})
