import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

export interface Link {
  /** Everything that the client has sent, for telling links apart. */
  sent: string
  /** From now on nothing goes through, and neither side learns of it: a cable was pulled. */
  freeze(): void
  /** From now on the client's bytes arrive, but it receives no response. */
  mute(): void
  cut(): void
}

export interface Proxy {
  port: number
  links: Link[]
  /** Where new connections lead from now on: a name that a failover gave to another server. */
  lead(url: string): void
  /** Called before the bytes are forwarded; a link may be muted or cut here. */
  onData?: (link: Link, text: string) => void
}

/** A wire between a client and a server that can be cut at any moment. */
export async function proxyTo(url: string): Promise<Proxy & { url: string }> {
  let target = new URL(url)
  const proxy: Proxy = {
    port: 0,
    links: [],
    lead: (to) => {
      target = new URL(to)
    },
  }
  const sockets = new Set<Socket>()
  const server = createServer({ allowHalfOpen: false }, (client) => {
    const upstream = connect(Number(target.port || 5432), target.hostname)
    let open = true
    let muted = false
    const link: Link = {
      sent: '',
      freeze: () => {
        open = false
      },
      mute: () => {
        muted = true
      },
      cut: () => {
        client.destroy()
        upstream.destroy()
      },
    }
    proxy.links.push(link)
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        if (open) link.cut()
      })
    }
    client.on('data', (data) => {
      link.sent += data.toString('latin1')
      if (open) proxy.onData?.(link, data.toString('latin1'))
      if (open) upstream.write(data)
    })
    upstream.on('data', (data) => {
      if (open && !muted) client.write(data)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(async () => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  proxy.port = (server.address() as AddressInfo).port
  const through = new URL(url)
  through.hostname = '127.0.0.1'
  through.port = String(proxy.port)
  return Object.assign(proxy, { url: through.href })
}
