import { connect, type Socket } from 'node:net'
import type { Transport } from '@holdpoint/core'
import type { HttpOptions } from '@holdpoint/core/internal'
import type { Running } from '../../http/support/servers.ts'
import type { Wired, Wiring } from './world.ts'

/** People behind HTTP, with one of the client's drivers. */
export async function httpWiring(
  { holdpoint }: Wired,
  listen: (mounted: Wired['holdpoint']) => Promise<Running>,
  driver: (options: HttpOptions) => Transport,
  stallHead = 'GET /holdpoint/sessions/SESSION/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer USER\r\n\r\n',
): Promise<Wiring> {
  const running = await listen(holdpoint)
  const sockets = new Set<Socket>()
  running.server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  const bearer = (user: string | null): Record<string, string> =>
    user === null ? {} : { authorization: `Bearer ${user}` }
  return {
    transport: (user) => driver({ url: running.url, headers: bearer(user) }),
    async sendRaw(user, sessionId, message) {
      const response = await fetch(`${running.url}/sessions/${encodeURIComponent(sessionId)}/messages`, {
        method: 'POST',
        headers: { ...bearer(user), 'content-type': 'application/json' },
        body: typeof message === 'string' ? message : Buffer.from(message),
      })
      return { status: response.status, body: await response.json() }
    },
    cut() {
      for (const socket of sockets) socket.destroy()
    },
    ...(stallHead === '' ? {} : { stall: (user, session) => stalled(running.url, stallHead, user, session) }),
    stop: () => running.stop(),
  }
}

/** A reader that says what it wants and then never reads. */
async function stalled(url: string, head: string, user: string, session: string) {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port) })
  await new Promise<void>((resolve) => socket.once('connect', () => resolve()))
  socket.pause()
  socket.on('error', () => {})
  socket.write(head.replace('SESSION', session).replace('USER', user))
  return { close: () => socket.destroy() }
}
