import { createServer, type Server, type ServerResponse } from 'node:http'
import { serve } from '@hono/node-server'
import { createChannel, createSession } from 'better-sse'
import { Hono } from 'hono'
import { streamSSE } from 'hono/streaming'
import { Server as SocketIo } from 'socket.io'
import { WebSocketServer } from 'ws'
import { durableStreamsServer } from './durable-streams-server.ts'
import { holdpointServer } from './holdpoint-server.ts'
import { type Measured, portOf, text } from './measured.ts'
import { trpcServer } from './trpc-server.ts'

const get = (path: string) => [`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`]
const upgrade = (path: string) =>
  `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`

/** Node by itself; `first` is written to each new connection. */
async function nodeHttp(first: Uint8Array | string = ': hello\n\n'): Promise<Measured> {
  const open = new Set<ServerResponse>()
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(first)
    open.add(response)
    response.on('close', () => open.delete(response))
  })
  return {
    port: await portOf(server),
    request: get('/'),
    emit(size) {
      const frame = Buffer.from(`data: ${text(size)}\n\n`)
      for (const response of open) response.write(frame)
    },
  }
}

async function webSocket(): Promise<Measured> {
  const server = createServer()
  const sockets = new WebSocketServer({ server, perMessageDeflate: false })
  sockets.on('connection', (socket) => socket.send('hello'))
  return {
    port: await portOf(server),
    request: [upgrade('/')],
    emit(size) {
      const frame = Buffer.from(text(size))
      for (const socket of sockets.clients) socket.send(frame, { binary: false })
    },
  }
}

async function socketIo(): Promise<Measured> {
  const server = createServer()
  const io = new SocketIo(server, { transports: ['websocket'], serveClient: false, pingInterval: 3_600_000 })
  return {
    port: await portOf(server),
    // The second part is a masked frame with "40": connect to the default namespace.
    request: [upgrade('/socket.io/?EIO=4&transport=websocket'), '\x81\x82\x00\x00\x00\x0040'],
    emit: (size) => io.emit('event', text(size)),
  }
}

async function betterSse(): Promise<Measured> {
  const channel = createChannel()
  const server = createServer(async (request, response) => {
    channel.register(await createSession(request, response))
  })
  return { port: await portOf(server), request: get('/'), emit: (size) => channel.broadcast(text(size), 'message') }
}

async function hono(): Promise<Measured> {
  const open = new Set<{ writeSSE(message: { data: string }): Promise<void> }>()
  const app = new Hono()
  app.get('/', (context) =>
    streamSSE(context, async (stream) => {
      open.add(stream)
      await stream.writeSSE({ data: 'hello' })
      await new Promise<void>((resolve) => stream.onAbort(resolve))
      open.delete(stream)
    }),
  )
  const server = await new Promise<Server>((resolve) => {
    const made = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, () => resolve(made as Server))
  })
  return {
    port: await portOf(server),
    request: get('/'),
    // Not awaited: one reader that stalls would block all others.
    emit(size) {
      for (const stream of open) void stream.writeSSE({ data: text(size) })
    },
  }
}

/** How many events a client of the storm has missed. */
export const MISSED = 200

/**
 * The lowest possible cost of a storm: everything that was missed is one Buffer, prepared before the clients connect.
 */
function slice(): Promise<Measured> {
  const frame = (seq: number) =>
    `id: 3f32ab21.${seq}.1a2b3c\ndata: {"type":"content","text":"${text(200)}","sessionId":"s1","timestamp":"2026-01-01T00:00:00.000Z"}\n\n`
  return nodeHttp(Buffer.from(Array.from({ length: MISSED }, (_, index) => frame(index + 1)).join('')))
}

export const servers: Record<string, () => Promise<Measured>> = {
  holdpoint: () => holdpointServer({ coalesceMs: 0 }),
  'holdpoint, in memory': () => holdpointServer({ coalesceMs: 0, inMemory: true }),
  'holdpoint, coalescing': () => holdpointServer({ coalesceMs: 5 }),
  'holdpoint, missed': () => holdpointServer({ coalesceMs: 0, missed: MISSED }),
  slice,
  'node:http': nodeHttp,
  ws: webSocket,
  'socket.io': socketIo,
  'better-sse': betterSse,
  hono,
  tRPC: trpcServer,
  'durable-streams': () => durableStreamsServer(),
  'durable-streams, missed': () => durableStreamsServer({ missed: MISSED }),
}
