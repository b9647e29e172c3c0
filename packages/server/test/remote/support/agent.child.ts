import { createServer } from 'node:http'
import { createRemoteAgent } from '@holdpoint/server/remote'
import { sqliteStore } from '@holdpoint/server/sqlite'
import { getRequestListener } from '@hono/node-server'
import { createGuardedFetch } from '../../../src/security/outbound/guarded-fetch.ts'
import { agentSaying } from './agent-script.ts'

/** The remote agent, as a process of its own. */
const { path, port, origin, password }: { path: string; port: number; origin: string; password: string } = JSON.parse(
  process.argv[2] ?? '{}',
)
/** The number of permissions to continue, which may arrive before it waits. */
let allowed = 0
const waiting: (() => void)[] = []
process.on('message', () => {
  const next = waiting.shift()
  if (next) next()
  else allowed++
})
const goOn = () =>
  allowed > 0 ? Promise.resolve(void allowed--) : new Promise<void>((resolve) => waiting.push(resolve))
process.on('disconnect', () => process.exit())

const agent = createRemoteAgent({
  store: sqliteStore({ path }),
  password,
  vaultKeys: [{ id: '1', key: new Uint8Array(32) }],
  allowedOrigins: [origin],
  fetch: createGuardedFetch({ allowLoopback: true }),
  delaysMs: [50, 100, 200, 400, ...Array.from({ length: 30 }, () => 800)],
  run: ({ prompt }) => agentSaying(prompt, goOn),
})
const server = createServer(getRequestListener(agent.fetch))
server.listen(port, '127.0.0.1', () => {
  const address = server.address()
  process.send?.({ type: 'listening', port: typeof address === 'object' ? address?.port : 0 })
})
