import { createServer, type Server } from 'node:http'
import { createHoldpoint } from '@holdpoint/server'
import { toExpressHandler } from '@holdpoint/server/express'
import { attachWebSocket } from '@holdpoint/server/ws'
import express from 'express'
import { makeAccounts } from './accounts.ts'
import { makeAgent } from './agent.ts'
import { chatRoute } from './chat-route.ts'
import { secret } from './keys.ts'
import { authenticate, loginRoutes } from './login.ts'
import { remoteRoutes } from './remote-routes.ts'
import { openStore } from './store.ts'
import { makeTools } from './tools.ts'

/** The whole back end: a store, a Holdpoint, an agent, and Express around them. */
export async function createApp(origin: string, page: string): Promise<Server> {
  const store = openStore()
  const accounts = await makeAccounts(store, origin)
  const holdpoint = createHoldpoint({
    store,
    authenticate,
    accounts,
    http: { routes: accounts.routes },
    security: { vaultKeys: [{ id: '1', key: Buffer.from(secret('vault'), 'base64') }] },
    // The promise that waited is gone (a restart, a reload), so the agent continues here.
    hooks: {
      onToolResult: ({ sessionId, userId, runId, status, result }) =>
        agent.finish(holdpoint.session(sessionId, { userId }), runId, status === 'error' ? { failed: true } : result),
      onFollowUp: ({ sessionId, userId, answer }) =>
        agent.finish(holdpoint.session(sessionId, { userId }), `run-${crypto.randomUUID()}`, answer.input ?? {}),
    },
  })
  const agent = makeAgent(holdpoint, makeTools(holdpoint, { slackUrl: accounts.slackUrl }))

  const app = express()
  app.disable('x-powered-by')
  app.use('/holdpoint', toExpressHandler(holdpoint))
  app.use('/remote', await remoteRoutes(holdpoint, origin))
  app.use('/api', express.json(), loginRoutes(), chatRoute(holdpoint, agent))
  app.use(express.static(page))

  const server = createServer(app)
  attachWebSocket(server, holdpoint, { path: '/holdpoint/ws' })
  await holdpoint.recover()
  return server
}
