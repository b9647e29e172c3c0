import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { bearerFromProtocols, webSocketProtocol } from '@holdpoint/core/internal'

import { type WebSocket, WebSocketServer } from 'ws'
import type { HttpApp } from '../http/app.ts'
import { appOf, type Mounted } from '../http/mounted.ts'
import { NodeIncoming } from '../http/node/node-incoming.ts'
import { clientIdOf } from '../http/requests/client-id.ts'
import type { EventStream, HttpResponse } from '../http/responses/http-response.ts'
import { serveSocket } from './serve-socket.ts'

/** Options of the WebSocket endpoint. */
interface WebSocketOptions {
  /** The exact path of the endpoint. A client with `url: '/holdpoint'` connects to `/holdpoint/ws`. */
  path: string
}

/**
 * Handles WebSocket upgrades at one path of a node:http server and ignores other paths. Returns a function that ends
 * it.
 *
 * @example
 * const server = createServer(app)
 * attachWebSocket(server, holdpoint, { path: '/holdpoint/ws' })
 */
export function attachWebSocket(server: Server, holdpoint: Mounted, { path }: WebSocketOptions): () => void {
  const app = appOf(holdpoint)
  const sockets = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    // Larger than the limit of a message, so that a message that is too large is refused with `too_large` and the
    // connection stays open.
    maxPayload: app.engine.limits.messageBytes * 4,
    handleProtocols: (offered) => (offered.has(webSocketProtocol) ? webSocketProtocol : false),
  })
  const onUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (pathOf(request) === path) void upgrade(app, sockets, request, socket, head)
    // Another handler may serve this path; if none does, the request must not hang.
    else if (server.listenerCount('upgrade') === 1) refuseUpgrade(socket, '404 Not Found', '')
  }
  server.on('upgrade', onUpgrade)
  return () => {
    server.off('upgrade', onUpgrade)
    for (const socket of sockets.clients) socket.close(1001)
    sockets.close()
  }
}

async function upgrade(app: HttpApp, sockets: WebSocketServer, request: IncomingMessage, socket: Duplex, head: Buffer) {
  const destroy = () => socket.destroy()
  socket.on('error', destroy)
  const admitted = await admit(app, request)
  if ('refused' in admitted) return refuseUpgrade(socket, '403 Forbidden', admitted.refused.body)
  if (socket.destroyed) return
  socket.off('error', destroy)
  sockets.handleUpgrade(request, socket, head, (webSocket: WebSocket) => {
    webSocket.on('error', () => {}) // `close` follows
    if (admitted.stream.kind === 'answer') webSocket.close(4000 + admitted.stream.status)
    else serveSocket(app, webSocket, socket, { ...admitted, stream: admitted.stream })
  })
}

type Admitted =
  | { refused: HttpResponse }
  | (Omit<Parameters<typeof serveSocket>[3], 'stream'> & { stream: EventStream | HttpResponse })

/**
 * Checks an upgrade request. A request from a forbidden Host or Origin is refused before the upgrade. All others are
 * refused after it, with a close code, because a page cannot read the status of a failed upgrade.
 */
async function admit(app: HttpApp, request: IncomingMessage): Promise<Admitted> {
  const incoming = new UpgradeIncoming(request)
  const header = (name: string) => incoming.header(name)
  try {
    app.checkProvenance({
      // Checked like a POST, because messages use the same connection.
      method: 'POST',
      host: header('host'),
      origin: header('origin'),
      site: header('sec-fetch-site'),
      bearer: /^bearer +\S/i.test(header('authorization') ?? ''),
    })
  } catch (error) {
    return { refused: app.refusalOf(error) }
  }
  const { query } = incoming
  const session = query.get('session') ?? ''
  try {
    const principal = await app.identify(incoming.toRequest())
    const place = { session, client: clientIdOf(query), cursor: query.get('cursor') || null }
    const reauthenticate = app.reauthenticate(principal, () => incoming.toRequest())
    const stream = await app.readAs(principal, place, reauthenticate)
    return { stream, principal, session, reauthenticate }
  } catch (error) {
    return { stream: app.refusalOf(error), principal: { userId: '' }, session, reauthenticate: async () => false }
  }
}

/** An upgrade request. A bearer token among the subprotocols counts as its Authorization header. */
class UpgradeIncoming extends NodeIncoming {
  readonly #bearer: string | null

  constructor(request: IncomingMessage) {
    super(request)
    this.#bearer = bearerFromProtocols(request.headers['sec-websocket-protocol'] ?? '')
  }

  override header(name: string): string | null {
    const given = super.header(name)
    return name === 'authorization' && given === null && this.#bearer !== null ? `Bearer ${this.#bearer}` : given
  }

  override toRequest(): Request {
    const request = super.toRequest()
    const authorization = this.header('authorization')
    if (authorization !== null) request.headers.set('authorization', authorization)
    return request
  }
}

const pathOf = ({ url }: IncomingMessage) => (url ?? '/').split('?', 1)[0]

function refuseUpgrade(socket: Duplex, status: string, body: string): void {
  const head = `HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}`
  socket.end(`${head}\r\n\r\n${body}`)
}
