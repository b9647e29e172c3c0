import { bearerToProtocol, webSocketProtocol } from '../wire/bearer.ts'
import { createFrameLink, type FrameLink } from './frame-link.ts'
import { guarded } from './guarded.ts'
import { type HttpOptions, httpCall, networkFailure, resolveHeaders, sessionPath, statusFailure } from './http.ts'
import { httpCalls } from './http-calls.ts'
import type { Transport, TransportContext, TransportFailure, TransportListener } from './types.ts'

/** Settings of `websocket`. Name a `WebSocket` where the platform has none. */
export interface WebSocketOptions extends HttpOptions {
  /** Default: the platform's. */
  WebSocket?: new (
    url: string,
    protocols: string[],
  ) => WebSocket
}

/** Close codes from here on carry an HTTP status: 4401 is 401. */
const STATUS_CODES = 4000

/**
 * Events and messages over one WebSocket at `<url>/ws`; snapshots, uploads and messages while it is down over HTTP.
 * A browser cannot set headers on an upgrade, so an `authorization: Bearer …` header travels as a subprotocol.
 *
 * @example
 * websocket({ url: '/holdpoint', headers: () => ({ authorization: `Bearer ${token}` }) })
 */
export function websocket(options: WebSocketOptions): Transport {
  const calls = httpCalls(options)
  const open = new Map<string, FrameLink>()
  const keyOf = ({ sessionId, clientId }: TransportContext) => JSON.stringify([sessionId, clientId])

  return {
    name: 'websocket',
    ...calls,
    send(context, message, signal) {
      const link = open.get(keyOf(context))
      return link ? link.call(context.env.id(), { message }, signal) : calls.send(context, message, signal)
    },
    connect(context, cursor, listener) {
      const key = keyOf(context)
      let socket: WebSocket | undefined
      const link = createFrameLink((text) => socket?.send(text))
      const guard = guarded(listener, () => {
        if (open.get(key) === link) open.delete(key)
        link.fail(new Error('The connection ended before the answer came.'))
        socket?.close()
      })
      void resolveHeaders(options)
        .then((headers) => {
          if (guard.ended) return
          socket = create(options, context, cursor, headers)
          attach(socket, link, guard.listener, {
            opened: () => void (guard.ended || open.set(key, link)),
            refused: () => (guard.ended ? null : whyRefused(options, context)),
          })
        })
        .catch((error) => guard.listener.down(networkFailure(error)))
      return guard.connection
    },
  }
}

function attach(
  socket: WebSocket,
  link: FrameLink,
  listener: TransportListener,
  on: { opened: () => void; refused: () => Promise<TransportFailure> | null },
) {
  let opened = false
  socket.onopen = () => {
    opened = true
    on.opened()
    listener.open()
  }
  // `close` follows with the reason. Without a listener some implementations throw.
  socket.onerror = () => {}
  socket.onmessage = ({ data }) => link.receive(data, listener)
  socket.onclose = ({ code }) => {
    if (code >= STATUS_CODES + 400 && code < STATUS_CODES + 600) {
      listener.down(statusFailure({ status: code - STATUS_CODES }))
    } else if (opened) listener.down({ code: 'ended', message: `The connection was closed (${code}).` })
    else void on.refused()?.then(listener.down)
  }
}

function create(
  options: WebSocketOptions,
  { sessionId, clientId }: TransportContext,
  cursor: string | null,
  headers: Headers,
) {
  const base = new URL(options.url, globalThis.location?.href)
  const url = new URL(`${base.pathname.replace(/\/+$/, '')}/ws`, base)
  url.protocol = base.protocol === 'https:' || base.protocol === 'wss:' ? 'wss:' : 'ws:'
  url.search = String(
    new URLSearchParams({ session: sessionId, client: clientId, ...(cursor === null ? {} : { cursor }) }),
  )
  const bearer = /^bearer +(.+)$/i.exec(headers.get('authorization') ?? '')?.[1]
  const WebSocket = options.WebSocket ?? globalThis.WebSocket
  return new WebSocket(
    url.href,
    bearer === undefined ? [webSocketProtocol] : [webSocketProtocol, bearerToProtocol(bearer)],
  )
}

/** A browser does not report why an upgrade was refused, but the status of a snapshot request does. */
async function whyRefused(options: WebSocketOptions, context: TransportContext): Promise<TransportFailure> {
  try {
    const result = await httpCall(options, context, sessionPath(context))
    return result.status === 200
      ? { code: 'network', message: 'The WebSocket could not be opened, although the server answers.' }
      : statusFailure(result)
  } catch (error) {
    return networkFailure(error)
  }
}
