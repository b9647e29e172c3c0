import { afterEach, describe, expect, test, vi } from 'vitest'
import { appOf } from '../../src/http/mounted.ts'
import { FakeClock, settle } from './support/fake-clock.ts'
import { makeRequest, readTexts, type Server, serve } from './support/requests.ts'

const json = { accept: 'application/json' }
let server: Server

const start = async (options: Parameters<typeof serve>[0] = {}) => {
  server = serve(options)
  await server.engine.create('s1', 'ada')
  return server
}
afterEach(() => {
  appOf(server).close()
  expect(appOf(server).hub.size).toMatchObject({ sessions: 0, streams: 0 })
  expect(server.engine.revokeListeners).toBe(0)
})

describe('the event stream', () => {
  test('[HP-SSE-3] sends headers against buffering, then a retry hint, then every event', async () => {
    const { fetch, engine } = await start()
    await engine.emit('s1', 'one')
    const response = await fetch(makeRequest('/sessions/s1/events'))
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    expect(response.headers.get('cache-control')).toBe('no-cache, no-transform')
    expect(response.headers.get('x-accel-buffering')).toBe('no')
    const texts = readTexts(response, 2)
    await settle()
    await engine.emit('s1', 'two')
    expect(await texts).toEqual(['one', 'two'])
  })

  test('[HP-SSE-4] prefers Last-Event-ID to ?cursor=', async () => {
    const { fetch, engine, call } = await start()
    const cursors: string[] = []
    for (const text of ['one', 'two', 'three']) {
      await engine.emit('s1', text)
      cursors.push((await call('/sessions/s1')).body.cursor)
    }
    const path = `/sessions/s1/events?cursor=${cursors[0]}`
    expect(await readTexts(await fetch(makeRequest(path)), 2)).toEqual(['two', 'three'])
    const headers = { 'last-event-id': cursors[1] ?? '' }
    expect(await readTexts(await fetch(makeRequest(path, { headers })), 1)).toEqual(['three'])
  })

  test('ends after it has sent a reset', async () => {
    const { fetch } = await start()
    const response = await fetch(makeRequest('/sessions/s1/events?cursor=e9.7.abc'))
    expect(await response.text()).toBe('retry: 1000\n\nevent: reset\ndata: {"reason":"epoch"}\n\n')
  })

  test('counts as presence until the last stream of its client ends', async () => {
    const clock = new FakeClock()
    const { fetch, engine } = await start({ clock })
    const open = () => fetch(makeRequest('/sessions/s1/events?client=c1'))
    const [first, second] = [await open(), await open()]
    await clock.advance(15_000)
    expect(engine.presences.map(({ verb }) => verb)).toEqual(['touch', 'touch', 'touch', 'touch'])
    await first.body?.cancel()
    expect(engine.presences).toHaveLength(4)
    await second.body?.cancel()
    expect(engine.presences.at(-1)).toEqual({ verb: 'leave', clientId: 'c1' })
    expect((await server.call('/sessions/s1/events?client=a%0Ab')).body.error.path).toBe('client')
  })

  test('ends when the request is aborted', async () => {
    const { fetch } = await start()
    const abort = new AbortController()
    const request = new Request(makeRequest('/sessions/s1/events'), { signal: abort.signal })
    await fetch(request)
    expect(appOf({ fetch }).hub.size.streams).toBe(1)
    abort.abort()
    await settle()
    expect(appOf({ fetch }).hub.size.streams).toBe(0)
    await fetch(request)
    expect(appOf({ fetch }).hub.size.streams).toBe(0)
  })

  test('ends at the buffer limit if the client does not read, and the client misses nothing after it reconnects', async () => {
    const { fetch, engine } = await start({ http: { maxBuffered: 64 * 1024, pieceSize: 16 * 1024 } })
    const response = await fetch(makeRequest('/sessions/s1/events'))
    await settle()
    const long = 'x'.repeat(10_000)
    for (let i = 0; i < 40; i++) {
      await engine.emit('s1', `${i} ${long}`)
      await settle()
    }
    expect(appOf({ fetch }).hub.size.streams).toBe(0)
    await expect(response.text()).rejects.toThrow('too slow')
    const texts = await readTexts(await fetch(makeRequest('/sessions/s1/events')), 40)
    expect(texts.map((text) => Number.parseInt(text, 10))).toEqual(Array.from({ length: 40 }, (_, i) => i))
  })

  test('[HP-SEC-7] threat 4: ends if the user is revoked, logged out or forbidden [T4.2]', async () => {
    const clock = new FakeClock()
    let login: string | null = 'ada'
    const { fetch, engine } = await start({ clock, authenticate: () => (login ? { userId: login } : null) })
    const ended = async (act: () => void) => {
      const body = (await fetch(makeRequest('/sessions/s1/events'))).text()
      await settle()
      act()
      await clock.advance(60_000)
      return body
    }
    expect(await ended(() => engine.revoke({ userId: 'ada' }))).toContain('retry')
    const become = (user: string | null) => {
      login = user
    }
    expect(await ended(() => become(null))).toContain('heartbeat')
    become('ada')
    expect(await ended(() => become('eve'))).toContain('heartbeat')
    become('ada')
    expect(await ended(() => engine.forbid('ada'))).toContain('heartbeat')
  })

  test('is rejected above the number of streams for each user', async () => {
    const { fetch } = await start({ http: { streamsPerUser: 3 } })
    const open = () => fetch(makeRequest('/sessions/s1/events'))
    const opened = [await open(), await open(), await open()]
    const refused = await open()
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '5'])
    await opened[0]?.body?.cancel()
    expect((await open()).status).toBe(200)
  })
})

describe('the long poll', () => {
  const poll = (query: string) => server.call(`/sessions/s1/events?${query}`, { headers: json })

  test('[HP-POL-1] [HP-POL-2] returns immediately if events exist, otherwise with the next event or after the wait time', async () => {
    const clock = new FakeClock()
    const { engine } = await start({ clock })
    const empty = await poll('wait=0')
    expect([empty.status, empty.body.events]).toEqual([200, []])
    await engine.emit('s1', 'one', 'two')
    const first = await poll(`cursor=${empty.body.cursor}&wait=25`)
    expect(first.body.events.map(({ text }) => text)).toEqual(['one', 'two'])
    const waiting = poll(`cursor=${first.body.cursor}&wait=25`)
    await settle()
    await engine.emit('s1', 'three')
    const second = await waiting
    expect(second.body.events.map(({ text }) => text)).toEqual(['three'])
    const idle = poll(`cursor=${second.body.cursor}&wait=25`)
    await settle()
    await clock.advance(24_000)
    let over = false
    void idle.then(() => {
      over = true
    })
    await settle()
    expect(over).toBe(false)
    await clock.advance(1_000)
    expect((await idle).body).toEqual({ cursor: second.body.cursor, events: [] })
    expect(clock.timers).toBe(0)
  })

  test('[HP-POL-4] returns a reset with status 200', async () => {
    await start()
    expect(await poll('cursor=x.1.y&wait=0')).toMatchObject({ status: 200, body: { reset: 'epoch' } })
    expect(await poll('cursor=rubbish')).toMatchObject({ status: 200, body: { reset: 'invalid' } })
  })

  test('returns a long backlog in consecutive pages', async () => {
    const { engine } = await start()
    const long = 'x'.repeat(100_000)
    for (let i = 0; i < 30; i++) await engine.emit('s1', `${i} ${long}`)
    const seen: number[] = []
    let cursor = ''
    for (let page = 0; page < 10 && seen.length < 30; page++) {
      const { body, text } = await poll(`cursor=${cursor}&wait=0`)
      expect(text.length).toBeLessThan(1_300_000)
      for (const event of body.events) seen.push(Number.parseInt(event.text, 10))
      cursor = body.cursor
    }
    expect(seen).toEqual(Array.from({ length: 30 }, (_, i) => i))
  })

  test('ends at once if the login is revoked, and an aborted poll leaves no listener', async () => {
    const { engine, fetch } = await start()
    const waiting = poll('wait=25')
    await settle()
    engine.revoke({ userId: 'ada' })
    expect((await waiting).status).toBe(401)
    const abort = new AbortController()
    const request = new Request(makeRequest('/sessions/s1/events?wait=25', { headers: json }), { signal: abort.signal })
    void fetch(request)
    await settle()
    expect(appOf({ fetch }).hub.size.streams).toBe(1)
    abort.abort()
    await vi.waitFor(() => expect(appOf({ fetch }).hub.size.streams).toBe(0))
  })
})
