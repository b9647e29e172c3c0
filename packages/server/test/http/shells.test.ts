import { connect } from 'node:net'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { appOf } from '../../src/http/mounted.ts'
import { serve } from './support/requests.ts'
import { type Running, shells } from './support/servers.ts'

const hello = { type: 'hello', clientId: 'c1' }
let running: Running
let server: ReturnType<typeof serve>

/** Reads frames with an id until there are `count`, and gives their events' texts. */
async function texts(response: Response, count: number): Promise<string[]> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true })
    const whole = text.slice(0, text.lastIndexOf('\n\n') + 1)
    const frames = whole.split('\n\n').filter((frame) => frame.startsWith('id: '))
    if (frames.length >= count) return frames.map((frame) => JSON.parse(frame.slice(frame.indexOf('data: ') + 6)).text)
  }
  throw new Error(`the stream ended after ${JSON.stringify(text)}`)
}

describe.each(Object.entries(shells))('%s', (_name, start) => {
  beforeEach(async () => {
    server = serve()
    await server.engine.create('s1', 'ada')
    running = await start({ fetch: server.fetch })
  })
  afterEach(async () => {
    vi.restoreAllMocks()
    appOf(server).close()
    await running.stop()
  })
  const get = (path: string, init: RequestInit = {}) =>
    fetch(`${running.url}${path}`, { ...init, headers: { 'x-user': 'ada', ...init.headers } })
  const post = (path: string, body: BodyInit, headers: Record<string, string> = {}) => {
    const { origin } = new URL(running.url)
    const duplex = body instanceof ReadableStream ? { duplex: 'half' } : {}
    return get(path, {
      method: 'POST',
      body,
      headers: { origin, 'content-type': 'application/json', ...headers },
      ...duplex,
    } as RequestInit)
  }

  test('events arrive one by one while the response is open, and a disconnected reader is removed [R8.2]', async () => {
    const abort = new AbortController()
    const response = await get('/sessions/s1/events?client=c1', {
      signal: abort.signal,
      headers: { 'accept-encoding': 'gzip' },
    })
    expect([response.status, response.headers.get('x-accel-buffering')]).toEqual([200, 'no'])
    const read = texts(response, 3)
    for (const text of ['one', 'grün 漢 🎈', 'x'.repeat(100_000)]) {
      await server.engine.emit('s1', text)
      await new Promise((resolve) => setTimeout(resolve, 15))
    }
    expect((await read).map((text) => text.slice(0, 10))).toEqual(['one', 'grün 漢 🎈', 'xxxxxxxxxx'])
    abort.abort()
    await vi.waitFor(() => expect(appOf(server).hub.size.streams).toBe(0), 3_000)
    expect(server.engine.presences.at(-1)).toEqual({ verb: 'leave', clientId: 'c1' })
  })

  test('messages, snapshots and errors arrive unchanged', async () => {
    const posted = await post('/sessions/s1/messages', JSON.stringify(hello))
    expect([posted.status, await posted.json()]).toEqual([200, { status: 'accepted' }])
    const snapshot = await get('/sessions/s1')
    expect([snapshot.status, snapshot.headers.get('cache-control')]).toEqual([200, 'no-store'])
    const foreign = await post('/sessions/s1/messages', JSON.stringify(hello), { origin: 'https://evil.example' })
    expect(foreign.status).toBe(403)
    const form = await post('/sessions/s1/messages', 'a=b', { 'content-type': 'application/x-www-form-urlencoded' })
    expect(form.status).toBe(415)
    expect((await get('/nothing')).status).toBe(404)
  })

  test('an oversize body is answered with 413, and the response arrives', async () => {
    const large = await post('/sessions/s1/messages', JSON.stringify({ ...hello, more: 'x'.repeat(300_000) }))
    expect(large.status).toBe(413)
    expect((await post('/sessions/s1/messages', JSON.stringify(hello))).status).toBe(200)
  })

  test('an uploaded file arrives byte for byte', async () => {
    const bytes = crypto.getRandomValues(new Uint8Array(60_000))
    const query = 'interactionId=i1&fieldId=f1&name=a.bin&type=image/png'
    const type = { 'content-type': 'application/octet-stream' }
    expect((await post(`/sessions/s1/uploads?${query}`, bytes, type)).status).toBe(200)
    const body = server.engine.calls[0]?.body as { bytes: Uint8Array }
    expect(Buffer.compare(body.bytes, bytes)).toBe(0)
  })

  test('a response ends when the server ends the stream', async () => {
    const response = await get('/sessions/s1/events')
    server.engine.revoke({ userId: 'ada' })
    expect(await response.text()).toBe('retry: 1000\n\n')
  })

  test('a poll waits for events, and ends when its connection closes', async () => {
    const headers = { accept: 'application/json' }
    const waiting = get('/sessions/s1/events?wait=20', { headers })
    await vi.waitFor(() => expect(appOf(server).hub.size.streams).toBe(1))
    await server.engine.emit('s1', 'one')
    expect((await (await waiting).json()).events).toHaveLength(1)
    const abort = new AbortController()
    get('/sessions/s1/events?wait=20&cursor=0.0.0', { headers, signal: abort.signal }).catch(() => {})
    await vi.waitFor(() => expect(appOf(server).hub.size.streams).toBe(0))
    abort.abort()
    await vi.waitFor(() => expect(appOf(server).hub.size.streams).toBe(0), 3_000)
  })

  test('a reader that stops reading is disconnected, and uses little memory until then', async () => {
    // Hono's server says on the console that a response ended before its time.
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const { hostname, port } = new URL(running.url)
    const socket = connect({ host: hostname, port: Number(port) })
    socket.pause()
    socket.write('GET /holdpoint/sessions/s1/events HTTP/1.1\r\nHost: x\r\nx-user: ada\r\n\r\n')
    await vi.waitFor(() => expect(appOf(server).hub.size.streams).toBe(1))
    const chunk = 'x'.repeat(200_000)
    for (let sent = 0; sent < 100 && appOf(server).hub.size.streams > 0; sent++) {
      await server.engine.emit('s1', chunk)
      await new Promise((resolve) => setTimeout(resolve, 2))
    }
    expect(appOf(server).hub.size.streams).toBe(0)
    socket.destroy()
  })
})

describe('the node:http server', () => {
  beforeEach(async () => {
    server = serve()
    await server.engine.create('s1', 'ada')
    running = await (shells['node:http'] as NonNullable<(typeof shells)[string]>)({ fetch: server.fetch })
  })
  afterEach(async () => {
    appOf(server).close()
    await running.stop()
  })

  const raw = async (text: string, enough: (got: string) => boolean) => {
    const { hostname, port } = new URL(running.url)
    const socket = connect({ host: hostname, port: Number(port) })
    let got = ''
    socket.setEncoding('utf8').on('data', (data: string) => {
      got += data
    })
    socket.write(text)
    await vi.waitFor(() => expect(enough(got)).toBe(true), 3_000)
    return { got: () => got, socket }
  }

  test('reports a body that a middleware has read without keeping [R10b.3]', async () => {
    await running.stop()
    const { listen } = await import('./support/servers.ts')
    const { toNodeHandler } = await import('../../src/frameworks/node.ts')
    const handle = toNodeHandler({ fetch: server.fetch })
    running = await listen((request, response) => {
      request.resume().on('end', () => void handle(request, response))
    })
    const { origin } = new URL(running.url)
    const response = await fetch(`${running.url}/sessions/s1/messages`, {
      method: 'POST',
      body: JSON.stringify(hello),
      headers: { origin, 'content-type': 'application/json', 'x-user': 'ada' },
    })
    expect([response.status, (await response.json()).error.code]).toEqual([500, 'body_already_read'])
  })

  test('sends a pipelined stream after the response before it, without mixing them', async () => {
    const head = 'HTTP/1.1\r\nHost: x\r\nx-user: ada\r\n\r\n'
    const { got, socket } = await raw(`GET /sessions/s1 ${head}GET /sessions/s1/events ${head}`, (text) =>
      text.includes('retry: 1000'),
    )
    await server.engine.emit('s1', 'one')
    await vi.waitFor(() => expect(got()).toContain('"text":"one"'))
    const answers = got().split('HTTP/1.1 200 OK')
    expect(answers).toHaveLength(3)
    expect(JSON.parse(answers[1]?.split('\r\n\r\n')[1] ?? '').you.userId).toBe('ada')
    expect(answers[2]).toContain('text/event-stream')
    socket.destroy()
  })

  test('sends events without chunks, and the stream ends with its connection', async () => {
    await server.engine.emit('s1', 'one')
    const { got, socket } = await raw('GET /sessions/s1/events HTTP/1.1\r\nHost: x\r\nx-user: ada\r\n\r\n', (text) =>
      text.includes('"one"'),
    )
    const [head, body] = got().split('\r\n\r\n')
    expect(head?.toLowerCase()).not.toContain('transfer-encoding')
    expect(head).toContain('Connection: close')
    expect(body).toMatch(/^retry: 1000\n\nid: \S+\ndata: \{.*\}\n\n$/)
    socket.destroy()
  })

  test('answers malformed targets and hosts without an internal error', async () => {
    for (const target of [
      '//evil.example/sessions/s1',
      '/%',
      '/sessions/%00',
      '*',
      '/sessions/s1?%',
      '/a'.repeat(3_000),
    ]) {
      const { got, socket } = await raw(
        `GET ${target} HTTP/1.1\r\nHost: ${'['}\r\nx-user: ada\r\nConnection: close\r\n\r\n`,
        (text) => text.includes('HTTP/1.1 '),
      )
      expect(got()).toMatch(/^HTTP\/1\.1 (200|404|405|400)/)
      socket.destroy()
    }
    expect((await fetch(`${running.url}/sessions/s1`, { headers: { 'x-user': 'ada' } })).status).toBe(200)
  })
})
