import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createHoldpoint, type Principal } from '@holdpoint/server'
import { createConnections, type Provider } from '@holdpoint/server/connections'
import { toNodeHandler } from '@holdpoint/server/node'
import { sqliteStore } from '@holdpoint/server/sqlite'
import { z } from 'zod'

/** An app with a broker, in a process of its own: `{ port, database, providers, api, script }`. */
export interface AppSetup {
  port: number
  database: string
  providers: Provider[]
  /** Of the make-believe Slack. */
  api: string
  /** The page's, as a file. */
  script: string
}
const setup: AppSetup = JSON.parse(process.argv[2] ?? '{}')
const script = readFileSync(setup.script)
const signedIn = (request: Request): Principal | null => {
  const userId = /(?:^|; )user=(\w+)/.exec(request.headers.get('cookie') ?? '')?.[1]
  return userId ? { userId } : null
}

const store = sqliteStore({ path: setup.database })
const connections = createConnections({
  store,
  providers: setup.providers,
  vaultKeys: [{ id: '1', key: new Uint8Array(32).fill(5) }],
  baseUrl: `http://localhost:${setup.port}/holdpoint`,
  authenticate: signedIn,
  development: true,
})
const holdpoint = createHoldpoint({
  store,
  authenticate: signedIn,
  accounts: connections,
  routes: connections.routes,
  mountPath: '/holdpoint',
  leaseMs: 1_000,
  http: { retryMs: 100 },
})
const post = holdpoint.tool({
  name: 'post_to_slack',
  input: z.object({ text: z.string() }),
  async execute({ text }, ctx) {
    const { slack } = await ctx.connect({ integrations: ['slack'], reason: 'to post the summary' })
    return ctx.once('post', async () => {
      const headers = { authorization: `Bearer ${await slack.token()}`, 'content-type': 'application/json' }
      const body = JSON.stringify({ channel: '#general', text })
      return (await fetch(`${setup.api}/api/chat.postMessage`, { method: 'POST', headers, body })).status
    })
  },
})
await holdpoint.recover()

const handler = toNodeHandler(holdpoint)
createServer((request, response) => {
  const url = new URL(request.url ?? '/', `http://localhost:${setup.port}`)
  if (url.pathname.startsWith('/holdpoint')) return void handler(request, response)
  if (url.pathname === '/app.js') return void response.setHeader('content-type', 'text/javascript').end(script)
  if (url.pathname === '/start') {
    const { session: name = '', user: userId = '' } = Object.fromEntries(url.searchParams)
    const call = { runId: `run-${name}`, toolCallId: 'call-1' }
    const session = holdpoint.session(name, { userId })
    session.runTool(post, { text: 'hello' }, call).catch((error: unknown) => console.error(error))
    return void response.end('started')
  }
  response.setHeader('content-type', 'text/html')
  response.end('<!doctype html><title>app</title><div id="root"></div><script type="module" src="/app.js"></script>')
}).listen(setup.port, '127.0.0.1', () => process.send?.('ready'))
