import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A TCP load balancer: each new connection goes to the next node. */
export interface Balancer {
  readonly url: string
  /** Sends new connections to these nodes; connections that are open stay where they are. */
  use(urls: readonly string[]): void
  close(): Promise<void>
}

export async function balance(urls: readonly string[]): Promise<Balancer> {
  let nodes = urls
  let next = 0
  const sockets = new Set<Socket>()
  const keep = (socket: Socket, peer: Socket) => {
    sockets.add(socket)
    socket.once('close', () => {
      sockets.delete(socket)
      peer.destroy()
    })
    // A node that ends its process resets what it had open.
    socket.on('error', () => socket.destroy())
  }
  const server = createServer((client) => {
    const node = connect(Number(new URL(nodes[next++ % nodes.length] ?? '').port), '127.0.0.1')
    keep(client, node)
    keep(node, client)
    client.pipe(node).pipe(client)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    use(now) {
      nodes = now
    },
    close: () =>
      new Promise((done) => {
        server.close(() => done())
        for (const socket of sockets) socket.destroy()
      }),
  }
}
