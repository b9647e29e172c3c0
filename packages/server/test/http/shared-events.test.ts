import { afterEach, describe, expect, test } from 'vitest'
import { appOf } from '../../src/http/mounted.ts'
import { FakeClock, settle } from './support/fake-clock.ts'
import { makeRequest, type Server, serve } from './support/requests.ts'

let server: Server
const start = async (options: Parameters<typeof serve>[0] = {}) => {
  server = serve({ clock: new FakeClock(), ...options })
  for (const session of ['s1', 's2', 's3']) await server.engine.create(session, 'ada')
  await server.engine.create('eves', 'eve')
  return server
}
afterEach(async () => {
  appOf(server).close()
  await settle()
  expect(appOf(server).load).toMatchObject({ sessions: 0, streams: 0, waiting: 0 })
})

interface Entry {
  session: string
  cursor?: string
  clients?: string[]
}

/** Opens a shared stream and collects its frames as `session: text`. */
async function open(entries: readonly Entry[], user = 'ada') {
  const sessions = entries.map((entry) => ({ clients: [], ...entry }))
  const response = await server.fetch(makeRequest('/sessions/events', { json: { sessions }, user }))
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  const stream = { response, text: '', ended: false, heard: () => heard(stream.text), close: () => reader.cancel() }
  void (async () => {
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) stream.text += chunk.value
    stream.ended = true
  })()
  await settle()
  return stream
}

function heard(text: string): string[] {
  let session = 'unnamed'
  return text.split('\n\n').flatMap((frame) => {
    const { event = 'message', data } = Object.fromEntries(
      frame.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
    )
    if (data === undefined) return []
    const value = JSON.parse(data)
    if (event === 'session') session = value.id
    else if (event === 'message') return [`${session}: ${value.text}`]
    else return [`${session}: <${event}${value.reason ? ` ${value.reason}` : ''}>`]
    return []
  })
}

const cursorOf = async (session: string) => (await server.call(`/sessions/${session}`)).body.cursor

describe('a stream of several sessions', () => {
  test('[HP-SHR-1] contains the events of each session after its cursor, and later ones', async () => {
    const { engine } = await start()
    await engine.emit('s1', 'one')
    await engine.emit('s2', 'old')
    const cursor = await cursorOf('s2')
    await engine.emit('s2', 'two')
    const stream = await open([{ session: 's1' }, { session: 's2', cursor }, { session: 's3' }])
    expect(stream.response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    await engine.emit('s3', 'three')
    await engine.emit('s1', 'four')
    await settle()
    expect(stream.heard()).toEqual(['s1: one', 's2: two', 's3: three', 's1: four'])
  })

  test('[HP-SHR-2] names the session only when it changes', async () => {
    const { engine } = await start()
    const stream = await open([{ session: 's1' }, { session: 's2' }])
    for (const session of ['s1', 's1', 's2', 's1']) {
      await engine.emit(session, 'x')
      await settle()
    }
    expect(stream.text.match(/^event: session$/gm)).toHaveLength(3)
    expect(stream.heard()).toEqual(['s1: x', 's1: x', 's2: x', 's1: x'])
  })

  test('a session id with quotes and slashes cannot break out of its frame', async () => {
    const { engine } = await start()
    const id = 'a"}\\ / ü'
    await engine.create(id, 'ada')
    const stream = await open([{ session: id }, { session: 's1' }])
    await engine.emit(id, 'x')
    await settle()
    expect(stream.heard()).toEqual([`${id}: x`])
  })

  test('sends one heartbeat for all sessions', async () => {
    const clock = new FakeClock()
    await start({ clock })
    const stream = await open([{ session: 's1' }, { session: 's2' }, { session: 'nowhere' }])
    await clock.advance(8_000)
    await settle()
    expect(stream.text.match(/^: heartbeat$/gm)).toHaveLength(1)
    await clock.advance(8_000)
    await settle()
    expect(stream.text.match(/^: heartbeat$/gm)).toHaveLength(2)
  })
})

describe('one of the sessions', () => {
  test('[HP-SHR-3] is reset, and the others continue', async () => {
    const { engine } = await start()
    const stream = await open([{ session: 's1', cursor: 'e9.7.abc' }, { session: 's2' }])
    await engine.emit('s1', 'unheard')
    await engine.emit('s2', 'heard')
    await settle()
    expect(stream.heard()).toEqual(['s1: <reset epoch>', 's2: heard'])
    expect(stream.ended).toBe(false)
  })

  test('[HP-SHR-3] cannot be read, and the others continue', async () => {
    const { engine } = await start()
    const { access } = engine
    engine.access = async (principal, sessionId, permission) => {
      if (sessionId === 's2') throw new Error('a row that cannot be read')
      return access(principal, sessionId, permission)
    }
    const stream = await open([{ session: 's1' }, { session: 's2' }])
    await engine.emit('s1', 'heard')
    await settle()
    expect(stream.heard()).toEqual(['s2: <end>', 's1: heard'])
    engine.access = () => Promise.reject(new Error('no store'))
    const refused = await server.call('/sessions/events', { json: { sessions: [{ session: 's3', clients: [] }] } })
    expect(refused.status).toBe(500)
  })

  test('[HP-SHR-3] may no longer be read, and the stream ends with its last session', async () => {
    const clock = new FakeClock()
    const { engine } = await start({ clock })
    const stream = await open([{ session: 's1' }, { session: 's2' }])
    const { access } = engine
    engine.access = async (principal, sessionId, permission) =>
      sessionId === 's1' ? null : access(principal, sessionId, permission)
    await clock.advance(61_000)
    await settle()
    expect(stream.heard()).toEqual(['s1: <end>'])
    expect(stream.ended).toBe(false)
    engine.forbid('ada')
    await clock.advance(61_000)
    await settle()
    expect([stream.heard(), stream.ended]).toEqual([['s1: <end>', 's2: <end>'], true])
  })

  test('[HP-SEC-2] stays open and empty if it belongs to another user or does not exist', async () => {
    const { engine } = await start()
    const stream = await open([{ session: 'eves' }, { session: 'not-yet' }])
    await engine.emit('eves', 'secret')
    await settle()
    expect([stream.heard(), stream.ended]).toEqual([[], false])
    await engine.create('not-yet', 'ada')
    await engine.emit('not-yet', 'first')
    await settle()
    expect(stream.heard()).toEqual(['not-yet: first'])
  })
})

describe('the end of a shared stream', () => {
  test('[HP-SHR-4] comes at once when the user signs out', async () => {
    const { engine } = await start()
    const stream = await open([{ session: 's1' }, { session: 's2' }, { session: 'not-yet' }])
    engine.revoke({ userId: 'ada' })
    await settle()
    expect(stream.ended).toBe(true)
    await engine.emit('s1', 'late')
    await settle()
    expect(stream.heard()).toEqual([])
  })

  test('removes the presence of every client of every session, unless a client has another stream', async () => {
    const { engine } = await start()
    const stream = await open([
      { session: 's1', clients: ['a', 'b'] },
      { session: 's2', clients: ['c'] },
    ])
    expect(engine.presences.map(({ verb, clientId }) => `${verb} ${clientId}`)).toEqual([
      'touch a',
      'touch b',
      'touch c',
    ])
    const next = await open([{ session: 's1', clients: ['a'] }])
    await stream.close()
    await settle()
    const left = () => engine.presences.filter(({ verb }) => verb === 'leave').map(({ clientId }) => clientId)
    expect(left()).toEqual(['b', 'c'])
    await next.close()
    await settle()
    expect(left()).toEqual(['b', 'c', 'a'])
  })

  test('comes if the reader stops reading, regardless of the session', async () => {
    const { engine } = await start({ http: { maxBuffered: 64 * 1024 } })
    const json = { sessions: ['s1', 's2'].map((session) => ({ session, clients: [] })) }
    const response = await server.fetch(makeRequest('/sessions/events', { json }))
    await settle()
    for (let n = 0; n < 12; n++) {
      await engine.emit(n % 2 ? 's1' : 's2', 'x'.repeat(16 * 1024))
      await settle()
    }
    expect(appOf(server).load.streams).toBe(0)
    await expect(response.text()).rejects.toThrow('too slow')
  })
})

describe('a request for a shared stream', () => {
  const of = (count: number) => Array.from({ length: count }, (_, n) => ({ session: `many-${n}`, clients: [] }))

  test.each([
    ['nothing', {}],
    ['an empty list', { sessions: [] }],
    ['more sessions than are allowed', { sessions: of(101) }],
    ['a session twice', { sessions: [...of(2), ...of(1)] }],
    ['an id with a line break', { sessions: [{ session: 'a\nb', clients: [] }] }],
    ['a client with a line break', { sessions: [{ session: 'a', clients: ['a\nb'] }] }],
    ['more clients than are allowed', { sessions: [{ session: 'a', clients: of(101).map(({ session }) => session) }] }],
  ])('[HP-SHR-5] with %s is rejected with invalid_message', async (_what, json) => {
    await start()
    const { status, body } = await server.call('/sessions/events', { json })
    expect([status, body.error.code]).toEqual([400, 'invalid_message'])
  })

  test('[HP-SHR-5] counts each session as a stream of the user', async () => {
    await start({ http: { streamsPerUser: 3 } })
    const stream = await open([{ session: 's1' }, { session: 's2' }])
    const json = { sessions: of(2) }
    expect((await server.call('/sessions/events', { json })).body.error.code).toBe('rate_limited')
    await stream.close()
    expect((await open(of(2))).response.status).toBe(200)
  })

  test('[HP-SHR-5] counts each client of a session, of an own one and of one that waits, until it is closed', async () => {
    await start({ http: { streamsPerUser: 5 } })
    const stream = await open([
      { session: 's1', clients: ['a', 'b'] },
      { session: 'later', clients: ['a', 'b'] },
    ])
    const json = { sessions: [{ session: 's2', clients: ['a', 'b'] }] }
    expect((await server.call('/sessions/events', { json })).body.error.code).toBe('rate_limited')
    await stream.close()
    expect((await open([{ session: 's2', clients: ['a', 'b', 'c', 'd', 'e'] }])).response.status).toBe(200)
  })

  test('[HP-SEC-1] [HP-SEC-3] [HP-SEC-4] needs a user and an allowed origin', async () => {
    await start()
    const json = { sessions: of(1) }
    const codeOf = async (init: object) => (await server.call('/sessions/events', { json, ...init })).body.error.code
    expect(await codeOf({ user: null })).toBe('not_authenticated')
    expect(await codeOf({ headers: { origin: 'https://evil.example' } })).toBe('origin_not_allowed')
    expect(await codeOf({ headers: { origin: null } })).toBe('origin_not_allowed')
    expect(await codeOf({ headers: { 'content-type': 'text/plain' } })).toBe('unsupported_media_type')
  })

  test('gives the session library a request that can be cloned, also when the user is checked again', async () => {
    const clock = new FakeClock()
    const seen: boolean[] = []
    const authenticate = (request: Request) => {
      seen.push(request.clone().headers.has('x-user'))
      return { userId: 'ada' }
    }
    await start({ clock, authenticate })
    const stream = await open([{ session: 's1' }])
    await clock.advance(61_000)
    expect(seen).toEqual([true, true])
    expect(stream.ended).toBe(false)
  })
})
