import { createServer } from 'node:http'
import { connect, type Socket } from 'node:net'
import { attachWebSocket } from '@holdpoint/server/ws'
import { afterEach, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { appOf } from '../../src/http/mounted.ts'
import { serve } from '../http/support/requests.ts'
import { listen, type Running } from '../http/support/servers.ts'
import { answers } from './support/frames-wiring.ts'

const path = '/holdpoint/ws'
const mebibyte = 1024 * 1024
const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

async function start(options: Parameters<typeof serve>[0] = {}) {
  const server = serve({
    authenticate: (request) => ({ userId: request.headers.get('authorization')?.slice(7) ?? '' }),
    ...options,
  })
  await server.engine.create('s1', 'ada')
  const running: Running = await listen(createServer().listeners('request')[0] as never)
  const accepted: Socket[] = []
  running.server.on('connection', (socket: Socket) => accepted.push(socket))
  const detach = attachWebSocket(running.server, server, { path })
  ends.push(
    () => running.stop(),
    () => appOf(server).close(),
    detach,
  )
  return { server, running, accepted }
}

/** A logged-in WebSocket written by hand, which reads its upgrade and nothing else. */
async function deafSocket(running: Running): Promise<Socket> {
  const { hostname, port } = new URL(running.url)
  const socket = connect({ host: hostname, port: Number(port) })
  socket.on('error', () => {})
  ends.push(() => socket.destroy())
  socket.write(
    `GET ${path}?session=s1&client=c1 HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ada\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`,
  )
  await new Promise<void>((resolve) => socket.once('data', () => resolve()))
  socket.pause()
  return socket
}

/** A masked frame, as clients send it; the mask is zero. */
const frame = (opcode: number, payload: Buffer) =>
  Buffer.concat([Buffer.from([0x80 | opcode, 0x80 | payload.length, 0, 0, 0, 0]), payload])

/** Writes as much of a flood as the server reads, until it stops reading or the flood ends. Returns what it read. */
async function flood(socket: Socket, one: Buffer, bytes: number): Promise<number> {
  const chunk = Buffer.concat(Array.from({ length: Math.floor(65_536 / one.length) }, () => one))
  let sent = 0
  while (sent < bytes && !socket.destroyed) {
    sent += chunk.length
    if (socket.write(chunk)) continue
    const stuck = await Promise.race([
      new Promise<false>((resolve) => socket.once('drain', () => resolve(false))),
      new Promise<true>((resolve) => setTimeout(() => resolve(true), 1_500)),
    ])
    if (stuck) return sent
  }
  return sent
}

const floods: [string, Buffer, number][] = [
  ['unreadable frames of one byte', frame(1, Buffer.from('x')), 7],
  ['messages', frame(1, Buffer.from('{"id":"a","message":{"type":"hello","clientId":"c"}}')), 58],
]
test.each(floods)(
  '[HP-WS-4] the server stops reading from a WebSocket that sends %s and reads nothing [N1.1]',
  async (_name, one, size) => {
    const { running, accepted } = await start()
    const socket = await deafSocket(running)
    const before = process.memoryUsage().rss
    const sent = await flood(socket, one, 1_000_000 * size)
    // Reading is paused, not ended: a client that is only slow keeps its connection.
    expect(accepted[0]?.destroyed).toBe(false)
    // Bytes in the kernel's buffers of both directions count as sent.
    expect(sent).toBeLessThan(24 * mebibyte)
    expect(accepted[0]?.writableLength).toBeLessThan(4 * mebibyte)
    expect(process.memoryUsage().rss - before).toBeLessThan(150 * mebibyte)
  },
)

test('the server reads on when a client reads its responses late, and answers every frame [N1.4]', async () => {
  const { running } = await start({ http: { rateLimit: { burst: 100_000, perSecond: 1 } } })
  const client = new WebSocket(`${running.url.replace('http', 'ws')}/ws?session=s1&client=c1`, {
    headers: { authorization: 'Bearer ada' },
  })
  ends.push(() => client.terminate())
  await new Promise((resolve) => client.once('open', resolve))
  const replies = new Set<string>()
  client.on('message', (data) => replies.add(JSON.parse(String(data)).id))
  client.pause()
  for (let n = 0; n < 20_000; n++) client.send(JSON.stringify({ id: `f${n}`, request: {} }))
  await new Promise((resolve) => setTimeout(resolve, 300))
  client.resume()
  await vi.waitFor(() => expect([...replies].filter((id) => id.startsWith('f')).length).toBe(20_000), 20_000)
}, 30_000)

test('[HP-WS-4] the frames in flight of one WebSocket are limited [N1.2]', async () => {
  const { server, running } = await start({ http: { framesInFlight: 4 } })
  let inFlight = 0
  let most = 0
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  server.engine.cancelRun = async () => {
    most = Math.max(most, ++inFlight)
    await released
    inFlight--
    return { status: 200, body: { status: 'accepted' } }
  }
  const client = new WebSocket(`${running.url.replace('http', 'ws')}/ws?session=s1&client=c1`, {
    headers: { authorization: 'Bearer ada' },
  })
  ends.push(() => client.terminate())
  await new Promise((resolve) => client.once('open', resolve))
  const heard = answers()
  client.on('message', (data) => heard.take(String(data)))
  const message = { type: 'cancel_run', clientId: 'c1', runId: 'r1' }
  for (let n = 0; n < 40; n++) client.send(JSON.stringify({ id: `f${n}`, message }))
  await vi.waitFor(() => expect(inFlight).toBe(4))
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(most).toBe(4)
  release()
  const got = await Promise.all(Array.from({ length: 40 }, () => heard.next()))
  expect(got.map(({ status }) => status)).toEqual(Array(40).fill(200))
  expect(most).toBe(4)
})

test('[HP-WS-5] unreadable frames count against the rate limit, and a rejected frame is answered under its id [N1.3]', async () => {
  const { running } = await start({ http: { rateLimit: { burst: 3, perSecond: 0.001 } } })
  const client = new WebSocket(`${running.url.replace('http', 'ws')}/ws?session=s1&client=c1`, {
    headers: { authorization: 'Bearer ada' },
  })
  ends.push(() => client.terminate())
  await new Promise((resolve) => client.once('open', resolve))
  const heard = answers()
  client.on('message', (data) => heard.take(String(data)))
  // Opening took one.
  client.send('x')
  client.send('x')
  client.send(JSON.stringify({ id: 'third', message: { type: 'hello', clientId: 'c1' } }))
  expect([await heard.next(), await heard.next(), await heard.next()]).toMatchObject([
    { status: 400 },
    { status: 400 },
    { id: 'third', status: 429, body: { error: { code: 'rate_limited' } } },
  ])
})

test.each([['x'.repeat(6_000)], ['a%00b'], ['a%0d%0ab'], ['']])(
  'a WebSocket with an invalid client id is rejected: %#',
  async (client) => {
    const { server, running } = await start()
    const socket = new WebSocket(`${running.url.replace('http', 'ws')}/ws?session=s1&client=${client}`, {
      headers: { authorization: 'Bearer ada' },
    })
    expect(await new Promise((resolve) => socket.once('close', resolve))).toBe(4400)
    expect(appOf(server).hub.size.streams).toBe(0)
  },
)
