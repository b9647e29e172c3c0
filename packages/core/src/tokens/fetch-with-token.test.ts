import { createServer, type Server } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { rotatingService } from './testing/rotating-service.ts'
import { createTokenManager } from './token-manager.ts'

let server: Server
let origin: string
let service: ReturnType<typeof rotatingService>
let requests: { authorization?: string; body: string }[] = []

beforeAll(async () => {
  server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const { authorization } = request.headers
    requests.push({ ...(authorization ? { authorization } : {}), body })
    const good = service.accepts((authorization ?? '').replace('Bearer ', ''))
    response.writeHead(good ? 200 : 401).end(good ? 'yes' : 'no')
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  origin = `http://127.0.0.1:${(server.address() as { port: number }).port}`
})
afterAll(() => new Promise((done) => server.close(done)))
beforeEach(() => {
  requests = []
  service = rotatingService({ now: Date.now, graceMs: 0 })
})

async function manager() {
  const tokens = createTokenManager({ refresh: service.refresh, origins: [origin] })
  await tokens.signIn(service.first())
  return tokens
}
/** The service forgets the token that we hold, as after a restart or with a clock that runs ahead. */
async function stale() {
  const tokens = await manager()
  const elsewhere = await service.refresh(service.first(), { signal: AbortSignal.timeout(1_000) })
  await tokens.signIn({ ...elsewhere, accessToken: 'stale' })
  service.seen.length = 0
  return tokens
}

describe('g: fetch after a 401', () => {
  test.each<[string, () => BodyInit | undefined, string | RegExp]>([
    ['no body', () => undefined, ''],
    ['text', () => 'text', 'text'],
    ['a form', () => new URLSearchParams({ a: 'b' }), 'a=b'],
    ['bytes', () => new TextEncoder().encode('bytes'), 'bytes'],
    ['a blob', () => new Blob(['blob']), 'blob'],
    ['form data', () => form(), /value/],
  ])('%s is sent again once, with a newer token', async (_, make, expected) => {
    const tokens = await stale()
    const body = make()
    const response = await tokens.fetch(`${origin}/x`, { method: body ? 'POST' : 'GET', ...(body ? { body } : {}) })
    expect([response.status, await response.text()]).toEqual([200, 'yes'])
    expect(requests.map(({ authorization }) => authorization)).toEqual(['Bearer stale', 'Bearer access-2'])
    for (const { body: sent } of requests) expect(sent).toMatch(expected)
  })

  test('does not repeat a stream, and the next call works [Mg.2]', async () => {
    const tokens = await stale()
    const body = new Blob(['stream']).stream()
    const response = await tokens.fetch(`${origin}/x`, { method: 'POST', body, duplex: 'half' } as RequestInit)
    expect([response.status, requests.length]).toEqual([401, 1])
    expect((await tokens.fetch(new Request(`${origin}/x`))).status).toBe(200)
  })

  test('repeats a Request without a body, and none with a body', async () => {
    const tokens = await stale()
    expect((await tokens.fetch(new Request(`${origin}/x`, { headers: { 'x-a': 'b' } }))).status).toBe(200)
    const again = await stale()
    expect((await again.fetch(new Request(`${origin}/x`, { method: 'POST', body: 'x' }))).status).toBe(401)
    // The whole Request was sent, not only its address.
    expect(requests.at(-1)?.body).toBe('x')
  })

  test('returns a second 401 without another attempt [Mg.1]', async () => {
    const tokens = await manager()
    service.accepts = () => false
    expect((await tokens.fetch(`${origin}/x`)).status).toBe(401)
    expect([requests.length, service.seen.length]).toEqual([2, 1])
  })

  test('refreshes once for fifty calls that are rejected together', async () => {
    const tokens = await stale()
    const all = await Promise.all(Array.from({ length: 50 }, () => tokens.fetch(`${origin}/x`)))
    expect(new Set(all.map(({ status }) => status))).toEqual(new Set([200]))
    expect(service.seen).toHaveLength(1)
  })

  test('repeats a call that was rejected with an old token with the stored one', async () => {
    const tokens = await stale()
    expect(await tokens.renew('stale')).toBe('access-2')
    expect(await tokens.renew('stale')).toBe('access-2')
    expect(service.seen).toHaveLength(1)
  })

  test('returns the 401 after a temporary failure of the refresh, and the user stays signed in', async () => {
    const tokens = await stale()
    service.fail('network', 'network')
    const response = await tokens.fetch(`${origin}/x`)
    expect([response.status, await response.text(), tokens.status()]).toEqual([401, 'no', 'signed-in'])
  })

  test('rejects with session_lost if the session is lost', async () => {
    const tokens = await manager()
    service.revoke()
    await expect(tokens.fetch(`${origin}/x`)).rejects.toMatchObject({ code: 'session_lost' })
  })
})

describe('fetch with a token', () => {
  test('sends nothing to an origin that is not named', async () => {
    const tokens = await manager()
    await expect(tokens.fetch('https://example.com/')).rejects.toMatchObject({ code: 'origin_not_allowed' })
    await expect(tokens.fetch(`${origin.replace('127.0.0.1', 'localhost')}/`)).rejects.toMatchObject({
      code: 'origin_not_allowed',
    })
    const nowhere = createTokenManager({ refresh: service.refresh })
    await expect(nowhere.fetch(`${origin}/`)).rejects.toMatchObject({ code: 'origin_not_allowed' })
  })

  test('sends nothing if the user is signed out', async () => {
    const tokens = await manager()
    await tokens.signOut()
    await expect(tokens.fetch(`${origin}/x`)).rejects.toMatchObject({ code: 'signed_out' })
    expect(requests).toEqual([])
  })
})

function form(): FormData {
  const data = new FormData()
  data.set('name', 'value')
  return data
}
