import { createTokenManager } from '@holdpoint/core/tokens'
import { type MutableResponse, OAuth2Server } from 'oauth2-mock-server'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { refreshWith } from './refresh-with.ts'

let server: OAuth2Server
let issuer: string
let asked = 0
/** One failure for each response, then success. */
let faults: ((response: MutableResponse) => void)[] = []

beforeEach(async () => {
  asked = 0
  faults = []
  server = new OAuth2Server()
  await server.issuer.keys.generate('RS256')
  await server.start(0, '127.0.0.1')
  issuer = `http://127.0.0.1:${server.address().port}`
  server.service.on('beforeResponse', (response: MutableResponse) => {
    asked++
    faults.shift()?.(response)
  })
})
afterEach(() => server.stop())

function manager(expiresIn: number) {
  const tokens = createTokenManager({
    refresh: (held, { signal }) => refreshWith(issuer, held, signal),
    refreshTimeoutMs: 1_000,
    jitterMs: 0,
  })
  return tokens
    .signIn({
      accessToken: 'old',
      refreshToken: 'refresh',
      expiresAt: Date.now() + expiresIn,
      obtainedAt: Date.now() - 1_800_000,
    })
    .then(() => tokens)
}
const status =
  (statusCode: number, body: object = {}) =>
  (response: MutableResponse) => {
    response.statusCode = statusCode
    response.body = body as never
  }
const outcome = (promise: Promise<unknown>) => promise.catch((error: { code?: string }) => error.code ?? String(error))

test('a token of a healthy provider is a JWT whose lifetime is read from the response', async () => {
  const tokens = await manager(-1)
  expect((await tokens.token()).split('.')).toHaveLength(3)
  expect(await tokens.token()).toBe(await tokens.token())
  expect(asked).toBe(1)
})

test.each([
  ['500, then well', status(500)],
  ['503, then well', status(503)],
  ['an answer without a token, then well', status(200, { hello: 'world' })],
])('the fault %s has no visible effect', async (_, fault) => {
  faults = [fault]
  const tokens = await manager(-1)
  expect((await tokens.token()).split('.')).toHaveLength(3)
  expect(asked).toBe(2)
})

test.each([
  ['500 for long', [status(500), status(500)], 2],
  ['429', [status(429)], 1],
  ['a wrong client', [status(401, { error: 'invalid_client' })], 1],
])(
  'a valid token works during %s, an expired one asks to retry, and no user is signed out',
  async (_, broken, requests) => {
    faults = [...broken]
    const living = await manager(60_000)
    expect(await living.token()).toBe('old')
    expect(asked).toBe(requests)
    faults = [...broken]
    const expired = await manager(-1)
    expect(await outcome(expired.token())).toBe('refresh_failed')
    expect([living.status(), expired.status()]).toEqual(['signed-in', 'signed-in'])
    faults = []
    expect((await expired.token()).split('.')).toHaveLength(3)
  },
)

test('invalid_grant ends the session at once', async () => {
  faults = [status(400, { error: 'invalid_grant' })]
  const tokens = await manager(60_000)
  expect(await outcome(tokens.token())).toBe('session_lost')
  expect([tokens.status(), asked]).toEqual(['lost', 1])
  expect(await outcome(tokens.token())).toBe('session_lost')
  expect(asked).toBe(1)
})

test('a refresh fails while the provider is unreachable, and works after its return', async () => {
  const tokens = await manager(-1)
  await server.stop()
  expect(await outcome(tokens.token())).toBe('refresh_failed')
  await server.start(Number(new URL(issuer).port), '127.0.0.1')
  expect((await tokens.token()).split('.')).toHaveLength(3)
})
