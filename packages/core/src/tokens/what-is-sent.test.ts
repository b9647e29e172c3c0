import { expect, onTestFinished, test } from 'vitest'
import { HoldpointError } from '../error.ts'
import { fetchWithToken } from './fetch-with-token.ts'

const ORIGIN = 'https://app.example.com'

/** A service that takes the second token only, and what it saw. */
function service({ origins = [ORIGIN] as readonly string[] | undefined, takes = 'Bearer new' } = {}) {
  const sent: { to: string; headers: Record<string, string>; request: boolean }[] = []
  const cancelled: string[] = []
  const asked: string[] = []
  const send: typeof fetch = async (input, init) => {
    const headers = Object.fromEntries(new Headers(init?.headers))
    sent.push({ to: input instanceof Request ? input.url : String(input), headers, request: input instanceof Request })
    const status = headers.authorization === takes ? 200 : 401
    const token = headers.authorization ?? ''
    return new Response(new ReadableStream({ cancel: () => void cancelled.push(token) }), { status })
  }
  const tokens = {
    token: async () => 'old',
    renew: async (rejected: string) => {
      asked.push(rejected)
      return 'new'
    },
  }
  const get = (input: string | URL | Request, init?: RequestInit) =>
    fetchWithToken({ tokens, fetch: send, origins }, input, init)
  return { get, sent, cancelled, asked, tokens }
}

test('a Request keeps its own headers on both attempts', async () => {
  const { get, sent } = service()
  expect((await get(new Request(`${ORIGIN}/x`, { headers: { 'x-a': 'b' } }))).status).toBe(200)
  expect(sent).toEqual([
    { to: `${ORIGIN}/x`, headers: { authorization: 'Bearer old', 'x-a': 'b' }, request: true },
    { to: `${ORIGIN}/x`, headers: { authorization: 'Bearer new', 'x-a': 'b' }, request: true },
  ])
})

test('headers in the options of a call replace those of the Request, as with fetch', async () => {
  const { get, sent } = service({ takes: 'Bearer old' })
  await get(new Request(`${ORIGIN}/x`, { headers: { 'x-a': 'b' } }), { headers: { 'x-c': 'd' } })
  expect(sent[0]?.headers).toEqual({ authorization: 'Bearer old', 'x-c': 'd' })
})

test('a response that is not a rejection is returned unchanged: no refresh, no second request', async () => {
  const { get, sent, asked, cancelled } = service({ takes: 'Bearer old' })
  expect((await get(`${ORIGIN}/x`)).status).toBe(200)
  expect([sent.length, asked, cancelled]).toEqual([1, [], []])
})

test('the body of the rejection is cancelled before the second request, so that its socket is released', async () => {
  const { get, asked, cancelled } = service()
  await get(`${ORIGIN}/x`)
  expect([asked, cancelled]).toEqual([['old'], ['Bearer old']])
})

test('a response whose request cannot be sent again is returned unchanged, and the token is refreshed for the next call', async () => {
  const { get, sent, asked, cancelled } = service()
  const post = { method: 'POST', body: new Blob(['x']).stream(), duplex: 'half' } as RequestInit
  const response = await get(`${ORIGIN}/x`, post)
  expect([response.status, response.bodyUsed, sent.length, asked, cancelled]).toEqual([401, false, 1, ['old'], []])
})

test('a refresh that could not run returns the response; any other error is thrown', async () => {
  for (const [code, told] of [
    ['refresh_failed', 401],
    ['session_lost', 'session_lost'],
  ] as const) {
    const { get, tokens } = service()
    tokens.renew = async () => Promise.reject(new HoldpointError(code, 'No.'))
    expect(
      await get(`${ORIGIN}/x`).then(
        ({ status }) => status,
        (error) => error.code,
      ),
    ).toBe(told)
  }
  const { get, tokens } = service()
  tokens.renew = async () => Promise.reject(Object.assign(new Error('No.'), { code: 'refresh_failed' }))
  await expect(get(`${ORIGIN}/x`)).rejects.toThrow('No.')
})

test('the origin of the page is allowed by default, and relative paths resolve against it', async () => {
  const nowhere = service()
  const unnamed = (input: string) =>
    fetchWithToken({ tokens: nowhere.tokens, fetch: async () => new Response('x'), origins: undefined }, input)
  await expect(unnamed(`${ORIGIN}/x`)).rejects.toMatchObject({ code: 'origin_not_allowed' })
  Object.defineProperty(globalThis, 'location', { value: new URL(`${ORIGIN}/deep/page`), configurable: true })
  onTestFinished(() => void Reflect.deleteProperty(globalThis, 'location'))
  expect((await unnamed('/x')).status).toBe(200)
  await expect(unnamed('https://example.com/x')).rejects.toMatchObject({ code: 'origin_not_allowed' })
  const { get, sent } = service()
  await get('tasks')
  expect(sent[0]?.to).toBe(`${ORIGIN}/deep/tasks`)
})
