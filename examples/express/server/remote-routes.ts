import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Holdpoint } from '@holdpoint/server'
import { createGuardedFetch } from '@holdpoint/server/accounts'
import { createRemoteSessions } from '@holdpoint/server/remote'
import express, { type Router } from 'express'
import { secret } from './keys.ts'
import { authenticate } from './login.ts'
import { toListener } from './to-listener.ts'

/**
 * The back end of an agent that runs elsewhere: it opens sessions with a password and keeps what the agent reports. The
 * stream itself never passes through here.
 */
export async function remoteRoutes(holdpoint: Holdpoint, origin: string): Promise<Router> {
  const url = `http://127.0.0.1:${await startAgent(origin)}`
  const remote = createRemoteSessions(holdpoint, {
    vaultKeys: [{ id: '1', key: Buffer.from(secret('vault'), 'base64') }],
    webhookUrl: `${origin}/remote/webhook`,
    // From your own records: which agent works on this session, and may this person talk to it?
    agentOf: () => ({ url, password: secret('agent') }),
    fetch: createGuardedFetch({ allowLoopback: true }),
  })
  const router = express.Router()
  router.post('/start', toListener(remote.start))
  router.post('/webhook', toListener(remote.webhook))
  router.get(
    '/messages/:sessionId',
    toListener(async (request) => {
      const sessionId = decodeURIComponent(new URL(request.url).pathname.split('/').at(-1) ?? '')
      const who = await authenticate(request)
      const mine = who && (await holdpoint.sessions.get({ principal: who, sessionId }))
      if (!mine) return Response.json({ error: 'There is no such chat.' }, { status: 404 })
      const [messages, toolUses] = await Promise.all([remote.messages({ sessionId }), remote.toolUses({ sessionId })])
      return Response.json({ messages, toolUses })
    }),
  )
  return router
}

/** On this machine the agent is a second process; it ends with this one. */
function startAgent(origin: string): Promise<number> {
  // Made here, so that both processes find it.
  secret('agent')
  const path = fileURLToPath(new URL('../remote/agent.ts', import.meta.url))
  const child = fork(path, { env: { ...process.env, APP_URL: origin } })
  return new Promise((resolve, reject) => {
    child.once('message', (port) => resolve(Number(port)))
    child.once('exit', (code) => reject(new Error(`The remote agent ended (${code}) before it listened.`)))
  })
}
