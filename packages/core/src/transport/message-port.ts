import { HoldpointError } from '../error.ts'
import { createFrameLink } from './frame-link.ts'
import { guarded } from './guarded.ts'
import { inboxPath, networkFailure, sessionPath, statusFailure } from './http.ts'
import type { Transport, TransportContext } from './types.ts'

/** The part of a MessagePort that is used. Ports of workers, iframes and Electron have it too. */
export interface PortLike {
  postMessage(message: string): void
  /** `close` comes where the platform tells; elsewhere the client notices the silence. */
  addEventListener(type: 'message' | 'close', listener: (event: { data?: unknown }) => void): void
  /** A MessagePort delivers no messages before `start`. */
  start?(): void
}

/**
 * A transport over a MessagePort: to a worker, a frame or an extension's host. Frames are JSON text, as over a
 * WebSocket. The caller owns the port: closing a client ends its stream, not the port. One port carries one session's
 * stream.
 *
 * @example
 * messagePort(channel.port1)
 */
export function messagePort(port: PortLike): Transport {
  const link = createFrameLink((text) => port.postMessage(text))
  const call = (context: TransportContext, frame: Record<string, unknown>, signal?: AbortSignal) => {
    listen()
    return link.call(context.env.id(), frame, signal)
  }
  const get = (context: TransportContext, path: string, signal?: AbortSignal) =>
    call(context, { request: { method: 'GET', path } }, signal)
  const idle = { events() {}, reset() {}, alive() {}, malformed() {}, down() {} }
  let current: Parameters<typeof link.receive>[1] = idle
  let listening = false
  const listen = () => {
    if (listening) return
    listening = true
    port.addEventListener('message', ({ data }) => link.receive(data, current))
    port.addEventListener('close', () => {
      link.fail(new Error('The port was closed before the answer came.'))
      current.down({ code: 'ended', message: 'The port was closed.' })
    })
    port.start?.()
  }

  return {
    name: 'message-port',
    connect(context, cursor, listener) {
      const guard = guarded(listener, () => {
        if (current !== guard.listener) return
        current = idle
        port.postMessage(JSON.stringify({ close: true }))
      })
      current = guard.listener
      const open = { session: context.sessionId, client: context.clientId, ...(cursor === null ? {} : { cursor }) }
      call(context, { open }).then(
        (result) => (result.status === 200 ? guard.listener.open() : guard.listener.down(statusFailure(result))),
        (error) => guard.listener.down(networkFailure(error)),
      )
      return guard.connection
    },
    send: (context, message, signal) => call(context, { message }, signal),
    snapshot: (context, signal) => get(context, sessionPath(context), signal),
    inbox: (context, next, signal) => get(context, inboxPath(next), signal),
    async request(context, path, { method, body, raw, signal }) {
      if (raw === undefined) return call(context, { request: { method, path, body } }, signal)
      throw new HoldpointError(
        'upload_not_supported',
        'Files do not travel over a MessagePort. Upload over HTTP, with sse() or websocket(), and send the handle.',
      )
    },
  }
}
