import { appendFileSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { inspect } from 'node:util'
import { writeHeapSnapshot } from 'node:v8'
import { createHoldpoint, type Logger, type Principal } from '@holdpoint/server'
import { createAccountBroker, type OAuthProvider } from '@holdpoint/server/accounts'
import { memoryStore } from '@holdpoint/server/memory'
import { toNodeHandler } from '@holdpoint/server/node'
import { sqliteStore } from '@holdpoint/server/sqlite'
import { z } from 'zod'

/** An app with a broker, in a process of its own: `{ port, database, providers, api, script }`. */
export interface AppSetup {
  port: number
  /** A file; in memory without. */
  database?: string
  providers: OAuthProvider[]
  /** The address of the simulated Slack. */
  api: string
  /** The page's, as a file. */
  script: string
  /** Where everything is written that is logged or told to listeners. */
  log?: string
}
const setup: AppSetup = JSON.parse(process.argv[2] ?? '{}')
const script = setup.script ? readFileSync(setup.script) : ''
const signedIn = (request: Request): Principal | null => {
  const userId = /(?:^|; )user=(\w+)/.exec(request.headers.get('cookie') ?? '')?.[1]
  return userId ? { userId } : null
}

function logger(path = ''): Logger {
  const write = (message: string, facts?: unknown) =>
    appendFileSync(path, `${message} ${inspect(facts, { depth: 20 })}\n`)
  return { debug: write, info: write, warn: write, error: write }
}

const store = setup.database ? sqliteStore({ path: setup.database }) : memoryStore()
const broker = createAccountBroker({
  store,
  providers: setup.providers,
  vaultKeys: [{ id: '1', key: new Uint8Array(32).fill(5) }],
  baseUrl: `http://localhost:${setup.port}/holdpoint`,
  sessionSecrets: ['a secret for this test only, of more than 32 bytes'],
  authenticate: signedIn,
  development: true,
  ...(setup.log && {
    logger: logger(setup.log),
    onEvent: (event) => logger(setup.log).info(`event ${inspect(event)}`),
  }),
})
const holdpoint = createHoldpoint({
  store,
  authenticate: signedIn,
  accounts: broker,
  ...(setup.log && {
    logger: logger(setup.log),
    hooks: { onEvent: (event) => logger(setup.log).info(`event ${inspect(event)}`) },
  }),
  http: { routes: broker.routes, mountPath: '/holdpoint', retryMs: 100 },
  security: { vaultKeys: [{ id: '1', key: new Uint8Array(32).fill(5) }] },
  timing: { leaseMs: 1_000 },
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

/** The commands of a test: a dump of the heap, or a text to keep, which such a dump must then contain. */
const kept = new Set<string>()
process.on('message', ({ heap, keep }: { heap?: string; keep?: string }) => {
  if (keep) kept.add(keep)
  if (heap) writeHeapSnapshot(heap)
  process.send?.('done')
})
