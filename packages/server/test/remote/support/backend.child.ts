import { createServer, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { createHoldpoint } from '@holdpoint/server'
import { createRemoteSessions } from '@holdpoint/server/remote'
import { sqliteStore } from '@holdpoint/server/sqlite'
import { getRequestListener } from '@hono/node-server'
import { createGuardedFetch } from '../../../src/security/outbound/guarded-fetch.ts'

/** The back end, as a process of its own that counts every byte that reaches or leaves it. */
const { path, agentUrl, password, origin, port }: Record<string, string> & { port: number } = JSON.parse(
  process.argv[2] ?? '{}',
)
process.on('disconnect', () => process.exit())

const sockets = new Set<Socket>()
let outbound = 0
const guarded = createGuardedFetch({ allowLoopback: true })
let remote: ReturnType<typeof createRemoteSessions>
const server: Server = createServer(
  getRequestListener((request) =>
    new URL(request.url).pathname.endsWith('/webhook') ? remote.webhook(request) : remote.start(request),
  ),
)
server.on('connection', (socket) => sockets.add(socket))
server.listen(port, '127.0.0.1', () => {
  const at = (server.address() as AddressInfo).port
  const holdpoint = createHoldpoint({
    store: sqliteStore({ path: path ?? '' }),
    security: { allowedOrigins: origin ? [origin] : [] },
    authenticate: (request) => {
      const userId = request.headers.get('x-user')
      return userId ? { userId } : null
    },
  })
  remote = createRemoteSessions(holdpoint, {
    vaultKeys: [{ id: '1', key: new Uint8Array(32) }],
    webhookUrl: `http://127.0.0.1:${at}/webhook`,
    agentOf: ({ principal }) =>
      principal.userId === 'ada' ? { url: agentUrl ?? '', ...(password !== undefined && { password }) } : null,
    fetch: async (url, request) => {
      const response = await guarded(url, request)
      const body = await response.arrayBuffer()
      outbound += body.byteLength
      return new Response(body, response)
    },
  })
  process.on('message', async ({ sessionId }: { sessionId: string }) => {
    const bytes = [...sockets].reduce((sum, socket) => sum + socket.bytesRead + socket.bytesWritten, outbound)
    const [messages, toolUses] = await Promise.all([remote.messages({ sessionId }), remote.toolUses({ sessionId })])
    process.send?.({ type: 'state', bytes, messages, toolUses })
  })
  process.send?.({ type: 'listening', port: at })
})
