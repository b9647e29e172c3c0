import { describe, expect, test } from 'vitest'
import { devUser } from '../../src/http/guard/dev-user.ts'
import { isLocalHost } from '../../src/http/guard/guard.ts'
import { makeRequest, serve } from './support/requests.ts'

const hello = { type: 'hello', clientId: 'c1' }
const codeOf = ({ status, body }: { status: number; body: { error: { code: string } } }) => [status, body?.error?.code]

async function withSession(options: Parameters<typeof serve>[0] = {}) {
  const server = serve(options)
  await server.engine.create('s1', 'ada')
  return server
}

describe('threat 7: a web page posts to a server that it does not belong to [T7.1]', () => {
  test('[HP-HTTP-2] content types that an HTML form can post are rejected', async () => {
    const { call, engine } = await withSession()
    for (const type of ['text/plain', 'multipart/form-data; boundary=x', 'application/x-www-form-urlencoded', null]) {
      const init = { body: JSON.stringify(hello), headers: { 'content-type': type } }
      expect(codeOf(await call('/sessions/s1/messages', init))).toEqual([415, 'unsupported_media_type'])
    }
    expect(engine.presences).toEqual([])
    const charset = { json: hello, headers: { 'content-type': 'application/json; charset=utf-8' } }
    expect((await call('/sessions/s1/messages', charset)).status).toBe(200)
  })

  test('[HP-SEC-3] a request of a foreign origin is rejected, also for reading', async () => {
    const { call } = await withSession()
    for (const origin of [
      'https://evil.example',
      'null',
      'https://app.example.evil.example',
      'http://app.example:81',
      'x',
    ]) {
      const posted = await call('/sessions/s1/messages', { json: hello, headers: { origin } })
      expect(codeOf(posted)).toEqual([403, 'origin_not_allowed'])
      expect(codeOf(await call('/sessions/s1', { headers: { origin } }))).toEqual([403, 'origin_not_allowed'])
    }
  })

  test('a refused origin is logged once with the option that allows it, for at most twenty origins', async () => {
    const warned: unknown[] = []
    const logger = { error: () => {}, warn: (_: string, fields: object) => warned.push(fields) }
    const { call } = await withSession({ logger })
    const read = (origin: string | null) => call('/sessions/s1', { headers: { origin } })
    await read('https://ui.example')
    await read('https://ui.example')
    await read(null)
    expect(warned).toEqual([{ origin: 'https://ui.example', option: 'security.allowedOrigins' }])
    for (let n = 0; n < 50; n++) await read(`https://page-${n}.example`)
    expect(warned).toHaveLength(20)
  })

  test('[HP-SEC-4] a request without an origin is accepted only with a bearer token', async () => {
    const { call } = await withSession()
    const post = (headers: Record<string, string | null>) =>
      call('/sessions/s1/messages', { json: hello, headers: { origin: null, ...headers } })
    expect(codeOf(await post({}))).toEqual([403, 'origin_not_allowed'])
    expect(codeOf(await post({ authorization: 'Basic x' }))).toEqual([403, 'origin_not_allowed'])
    expect((await post({ authorization: 'Bearer abc' })).status).toBe(200)
    expect((await post({ 'sec-fetch-site': 'same-origin' })).status).toBe(200)
    expect(codeOf(await post({ 'sec-fetch-site': 'cross-site' }))).toEqual([403, 'origin_not_allowed'])
  })

  test('a page of an allowed foreign origin works, with the headers that a browser needs', async () => {
    const { call, fetch } = await withSession({ allowedOrigins: ['https://ui.example'] })
    const headers = { origin: 'https://ui.example' }
    const posted = await call('/sessions/s1/messages', { json: hello, headers })
    expect(posted.status).toBe(200)
    expect(posted.headers.get('access-control-allow-origin')).toBe('https://ui.example')
    expect(posted.headers.get('vary')).toBe('origin')
    const preflight = await fetch(
      makeRequest('/sessions/s1/messages', {
        method: 'OPTIONS',
        user: null,
        headers: { ...headers, 'access-control-request-headers': 'content-type' },
      }),
    )
    expect([preflight.status, preflight.headers.get('access-control-allow-headers')]).toEqual([204, 'content-type'])
    const refused = await call('/sessions/s1', { user: null, headers })
    expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([401, 'https://ui.example'])
    const foreign = await call('/sessions/s1', { method: 'OPTIONS', headers: { origin: 'https://evil.example' } })
    expect(foreign.headers.get('access-control-allow-origin')).toBe(null)
  })

  test('a request behind a proxy that changes the Host is accepted if the browser marks it as same-origin', async () => {
    const { call } = await withSession()
    const headers = { host: 'inner:3000', origin: 'https://app.example' }
    expect((await call('/sessions/s1/messages', { json: hello, headers })).status).toBe(403)
    const vouched = { ...headers, 'sec-fetch-site': 'same-origin' }
    expect((await call('/sessions/s1/messages', { json: hello, headers: vouched })).status).toBe(200)
  })

  test('DNS rebinding fails: development answers only localhost and addresses, production only allowedHosts [T7.3] [N6.1]', async () => {
    const at = async (options: Parameters<typeof serve>[0], host: string) =>
      (await (await withSession(options)).call('/sessions/s1', { headers: { host } })).status
    expect(await at({ allowedHosts: 'local' }, 'evil.example')).toBe(403)
    expect(await at({ allowedHosts: 'local' }, 'localhost:3000')).toBe(200)
    expect(await at({ allowedHosts: 'local' }, '192.168.0.7:3000')).toBe(200)
    expect(await at({ allowedHosts: ['dev.example'] }, 'dev.example:8080')).toBe(200)
    expect(await at({ allowedHosts: ['app.example'] }, 'evil.example')).toBe(403)
    expect(await at({ allowedHosts: ['app.example'] }, 'app.example')).toBe(200)
    expect(await at({}, 'any.example')).toBe(200)
  })

  test('devUser authenticates only with NODE_ENV=development and a localhost Host [T7.4]', async () => {
    const as = async (NODE_ENV: string | undefined, host: string) => {
      const server = await withSession({ authenticate: devUser('ada', { NODE_ENV }), allowedHosts: 'any' })
      const { status, body } = await server.call('/sessions/s1', { user: null, headers: { host } })
      return status === 200 ? body.you.userId : [status, body.error.code]
    }
    expect(await as('development', 'localhost:3000')).toBe('ada')
    expect(await as('development', 'app.localhost')).toBe('ada')
    expect(await as('development', '[::1]:3000')).toBe('ada')
    expect(await as('development', 'evil.example')).toEqual([401, 'not_authenticated'])
    expect(await as('development', 'localhost.evil.example')).toEqual([401, 'not_authenticated'])
    expect(await as('development', 'localhost@evil.example')).toEqual([401, 'not_authenticated'])
    for (const NODE_ENV of ['production', 'test', '', undefined]) {
      expect(await as(NODE_ENV, 'localhost')).toEqual([401, 'not_authenticated'])
    }
    for (const host of ['127.0.0.1', '127.255.0.9:80', 'LOCALHOST']) expect(isLocalHost(host)).toBe(true)
    for (const host of ['127.0.0.1.evil.example', '0.0.0.0', '', null, 'a b']) expect(isLocalHost(host)).toBe(false)
  })
})

describe('authentication of a request', () => {
  test('[HP-SEC-1] every route requires a principal', async () => {
    const { call, engine } = await withSession()
    const json = {}
    for (const [path, init] of [
      ['/sessions/s1', {}],
      ['/sessions/s1/events', {}],
      ['/sessions/s1/events', { headers: { accept: 'application/json' } }],
      ['/inbox', {}],
      ['/sessions/s1/messages', { json }],
      ['/sessions/s1/connect', { json }],
      ['/sessions/s1/uploads', { body: 'x', headers: { 'content-type': 'application/octet-stream' } }],
    ] as const) {
      expect(codeOf(await call(path, { ...init, user: null }))).toEqual([401, 'not_authenticated'])
    }
    expect(engine.calls).toEqual([])
  })

  test('each request is rejected without `authenticate`, with the reason', async () => {
    const { call } = await withSession({ authenticate: undefined })
    const { status, body } = await call('/inbox')
    expect([status, body.error.message]).toEqual([401, expect.stringContaining('authenticate')])
  })

  test('[HP-HTTP-4] an authenticate that throws or returns an invalid user is answered with 500 without details', async () => {
    const logged: unknown[] = []
    const logger = { error: (_: string, fields: Record<string, unknown>) => void logged.push(fields) }
    const throwing = await withSession({ logger, authenticate: () => Promise.reject(new Error('pg://secret@db')) })
    const nonsense = await withSession({ logger, authenticate: () => ({ userId: '' }) })
    for (const { call } of [throwing, nonsense]) {
      const { status, body, text } = await call('/inbox')
      expect([status, body.error.code]).toEqual([500, 'internal'])
      expect(text).not.toMatch(/secret|userId|stack/)
      expect(logged.at(-1)).toMatchObject({ logId: body.error.logId, error: expect.any(Error) })
    }
  })

  test('[HP-SEC-2] threat 1: an unknown session and another user’s get byte-identical responses, for reading and for messages [T1.2]', async () => {
    const { call, engine } = await withSession()
    await engine.create('hers', 'eve')
    const answers = new Map<string, Set<string>>()
    for (const id of ['hers', 'nobodys', 'Hers', 'hers%20']) {
      for (const [path, init] of [
        ['', {}],
        ['/events?wait=0', { headers: { accept: 'application/json' } }],
        ['/messages', { json: hello }],
      ] as const) {
        const { status, text } = await call(`/sessions/${id}${path}`, init)
        const said = `${status} ${text.replace(/"serverTime":"[^"]*"/, '')}`
        answers.set(path, (answers.get(path) ?? new Set()).add(said))
        expect(status).toBe(path === '/messages' ? 404 : 200)
      }
    }
    expect([...answers.values()].map(({ size }) => size)).toEqual([1, 1, 1])
    expect(engine.presences).toEqual([])
  })

  test('a request with an invalid session id is answered with 404', async () => {
    const { call, engine } = await withSession()
    for (const id of ['a%0Db', 'x'.repeat(300), '%E0%A4%A']) {
      for (const path of ['', '/events', '/messages']) {
        expect((await call(`/sessions/${id}${path}`, path === '/messages' ? { json: hello } : {})).status).toBe(404)
      }
    }
    expect(engine.presences).toEqual([])
  })
})
