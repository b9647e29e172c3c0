import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { SendResult } from '@holdpoint/core/internal'

import {
  accepted,
  type ConnectionScript,
  type MessageScript,
  queue,
  routine,
  type SeenCall,
  type SeenConnection,
} from './script.ts'

/** The common part of HTTP peers: a real server, its calls, and a record of the requests. */
export interface HttpPeer {
  url: string
  connections: SeenConnection[]
  calls: SeenCall[]
  scripts: ReturnType<typeof queue<ConnectionScript>>
  answers: ReturnType<typeof queue<MessageScript>>
  server: ReturnType<typeof createServer>
  see(
    request: IncomingMessage,
    url: URL,
    ending: { once(event: 'close', callback: () => void): unknown },
  ): SeenConnection
  stop(): Promise<void>
}

export async function httpPeer(
  onEvents: (request: IncomingMessage, response: ServerResponse, url: URL, peer: HttpPeer) => void,
): Promise<HttpPeer> {
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://peer')
    if (url.pathname.endsWith('/events')) onEvents(request, response, url, peer)
    else void answerCall(peer, request, response, url)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const peer: HttpPeer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mount`,
    connections: [],
    calls: [],
    scripts: queue<ConnectionScript>({}),
    answers: queue<MessageScript>(accepted),
    server,
    see(request, url, ending) {
      const seen = {
        sessionId: url.searchParams.get('session') ?? decodeURIComponent(url.pathname.split('/')[3] ?? ''),
        clientId: url.searchParams.get('client') ?? '',
        cursor: url.searchParams.get('cursor'),
        bearer: bearerOf(request),
        closed: false,
      }
      peer.connections.push(seen)
      ending.once('close', () => {
        seen.closed = true
      })
      return seen
    },
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return peer
}

export const bearerOf = ({ headers }: IncomingMessage) => headers.authorization?.replace(/^Bearer /, '') ?? null

async function answerCall(peer: HttpPeer, request: IncomingMessage, response: ServerResponse, url: URL) {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const raw = Buffer.concat(chunks)
  const json = request.headers['content-type'] === 'application/json'
  const path = url.pathname.replace(/^\/mount/, '') + url.search
  const body = raw.length === 0 ? undefined : json ? JSON.parse(raw.toString()) : new Uint8Array(raw)
  peer.calls.push({ method: request.method ?? '', path, body, bearer: bearerOf(request) })
  const isMessage = path.endsWith('/messages')
  const answer = isMessage ? peer.answers.next() : routine(path)
  if (answer === 'hold') return
  if (answer === 'destroy') request.socket.destroy()
  else reply(response, answer)
}

export function reply(response: ServerResponse, { status, body, retryAfterMs }: SendResult) {
  const retry = retryAfterMs === undefined ? {} : { 'retry-after': String(Math.ceil(retryAfterMs / 1000)) }
  response.writeHead(status, { 'content-type': 'application/json', ...retry }).end(JSON.stringify(body))
}

/** True if the script refuses or stays silent, after it has done so. */
export function refused(script: ConnectionScript, request: IncomingMessage, response: ServerResponse): boolean {
  if (script.hold) return true
  if (script.cutAfter === -1) {
    request.socket.destroy()
    return true
  }
  if (script.status === undefined) return false
  const retryAfterMs = script.retryAfterSeconds === undefined ? {} : { retryAfterMs: script.retryAfterSeconds * 1000 }
  reply(response, {
    status: script.status,
    body: { error: { code: 'scripted', message: 'As told.' } },
    ...retryAfterMs,
  })
  return true
}

/** Writes as the script requires: in pieces, and up to the cut. */
export async function writeScripted(
  write: (bytes: Uint8Array) => Promise<void>,
  bytes: Uint8Array,
  { cutAfter = bytes.length, chunk = bytes.length }: ConnectionScript,
): Promise<void> {
  const end = Math.min(cutAfter, bytes.length)
  for (let at = 0; at < end; at += chunk) {
    await write(bytes.subarray(at, Math.min(at + chunk, end)))
    // The next turn of the event loop, so that pieces are not joined.
    if (chunk < bytes.length) await new Promise((resolve) => setImmediate(resolve))
  }
}
