import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createGuardedFetch } from '@holdpoint/server/accounts'
import { createRemoteAgent } from '@holdpoint/server/remote'
import { sqliteStore } from '@holdpoint/server/sqlite'
import { home, secret } from '../server/keys.ts'
import { toListener } from '../server/to-listener.ts'
import { answer } from './answer.ts'

/** An agent on another machine, as a process of its own: pages stream straight from here. */
const agent = createRemoteAgent({
  store: sqliteStore({ path: `${home}/agent.db` }),
  password: secret('agent'),
  vaultKeys: [{ id: '1', key: Buffer.from(secret('agent-vault'), 'base64') }],
  allowedOrigins: [process.env.APP_URL ?? 'http://localhost:3000'],
  // The back end is on this machine here; elsewhere leave it out, and only the open internet is reached.
  fetch: createGuardedFetch({ allowLoopback: true }),
  run: ({ prompt }) => answer(prompt),
})
const server = createServer(toListener(agent.fetch))
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
await agent.tick()
process.once('disconnect', () => process.exit(0))
