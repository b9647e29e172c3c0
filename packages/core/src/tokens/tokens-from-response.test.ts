import { expect, test } from 'vitest'
import { tokensFromResponse } from './tokens-from-response.ts'

const NOW = 1_800_000_000_000
const jwt = (claims: object) => `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.x`

test('an OAuth response has tokens, scopes and an expiry', () => {
  expect(
    tokensFromResponse({ access_token: 'a', refresh_token: 'r', expires_in: 60, scope: 'read  write' }, NOW),
  ).toEqual({
    accessToken: 'a',
    refreshToken: 'r',
    obtainedAt: NOW,
    expiresAt: NOW + 60_000,
    scopes: ['read', 'write'],
  })
})

test.each([-86_400, 0, 86_400])('a session JWT has its stated lifetime under any clock (skew %i s)', (skew) => {
  const iat = NOW / 1000 + skew
  const token = jwt({ iat, exp: iat + 1_800, name: 'Zoë ✓' })
  expect(tokensFromResponse({ token }, NOW).expiresAt).toBe(NOW + 1_800_000)
})

test.each(['opaque', 'a.b.c', jwt({ exp: 1 }), 'a.e30'])(
  'a token without a stated lifetime has no expiry: %s',
  (token) => {
    expect(tokensFromResponse({ token }, NOW)).toEqual({ accessToken: token, obtainedAt: NOW })
  },
)

test.each([null, undefined, {}, { token: 7 }, { token: '' }])('the response %j has no tokens', (answer) => {
  expect(() => tokensFromResponse(answer, NOW)).toThrow(new TypeError('The answer carries no token.'))
})
