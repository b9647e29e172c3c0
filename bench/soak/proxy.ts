import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A wire to a port of this machine that can be cut and mended. */
export interface Tap {
  readonly port: number
  /** While it holds, no bytes pass, new connections included, and neither side is notified. */
  hold(held: boolean): void
  close(): void
}

export async function proxyTo(target: number): Promise<Tap> {
  const sockets = new Set<Socket>()
  let held = false
  const waiting = new Set<() => void>()
  const join = (client: Socket) => {
    if (client.destroyed) return
    const upstream = keep(connect(target, '127.0.0.1'), client)
    keep(client, upstream)
    client.pipe(upstream)
    upstream.pipe(client)
  }
  const keep = (socket: Socket, other: Socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => {
      sockets.delete(socket)
      other.destroy()
    })
    return socket
  }
  const server = createServer((client) => {
    client.on('error', () => {})
    if (held) waiting.add(() => join(client))
    else join(client)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    hold(now) {
      held = now
      for (const socket of sockets) {
        if (held) socket.pause()
        else socket.resume()
      }
      if (held) return
      for (const go of waiting) go()
      waiting.clear()
    },
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
