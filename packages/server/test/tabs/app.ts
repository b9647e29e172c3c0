import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createHoldpoint, type Holdpoint, type HoldpointOptions } from '@holdpoint/server'
import { memoryStore } from '@holdpoint/server/memory'
import { toNodeHandler } from '@holdpoint/server/node'
import { build } from 'esbuild'
import { SOURCE } from '../../../../scripts/published.ts'

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url))

/** The documented page: one client for each chat, made in `useMemo`. `?strict` renders it in StrictMode. */
const PAGE = `
import { createHoldpointClient, sse } from '@holdpoint/core'
import { HoldpointProvider, ToolInteraction, useAttention } from '@holdpoint/react'

import { StrictMode, useEffect, useMemo, useState } from 'react'
import { createRoot } from 'react-dom/client'

const query = new URL(location.href).searchParams
window.seen = []
window.problems = []

function Chat({ id }) {
  const client = useMemo(() => createHoldpointClient({
    sessionId: id,
    transport: sse({ url: '/holdpoint' }),
    onProblem: (problem) => window.problems.push(problem),
  }), [id])
  window.client = client
  useEffect(() => client.onEvent((event, cursor) => window.seen.push({ session: id, cursor, event, at: Date.now() })), [client, id])
  return <HoldpointProvider client={client}><Card id={id} /></HoldpointProvider>
}

function Owned({ id }) {
  return <HoldpointProvider options={{ sessionId: id, transport: sse({ url: '/holdpoint' }) }}><Card id={id} /></HoldpointProvider>
}

function Card({ id }) {
  const { count } = useAttention()
  return <section><h1>{id}: {count}</h1><ToolInteraction toolCallId="call-1" /></section>
}

function App() {
  const [id, show] = useState(query.get('id'))
  window.show = show
  if (!id) return null
  return query.has('owned') ? <Owned id={id} /> : <Chat id={id} />
}

createRoot(document.getElementById('root')).render(query.has('strict') ? <StrictMode><App /></StrictMode> : <App />)
`

export interface TabsApp {
  url: string
  holdpoint: Holdpoint
  /** Streams that are open, by what they were asked for with. */
  streams: Set<IncomingMessage>
  sockets: Set<Socket>
  /** Paths of the requests so far, with their status. */
  requests: { method: string; path: string; status: number }[]
  close(): Promise<void>
}

/** The files of the page, built once: esbuild with code splitting, as bundlers of applications do it. */
export async function buildPage(): Promise<Map<string, string>> {
  const { outputFiles } = await build({
    stdin: { contents: PAGE, resolveDir: ROOT, loader: 'tsx' },
    bundle: true,
    write: false,
    splitting: true,
    outdir: '/page',
    jsx: 'automatic',
    format: 'esm',
    conditions: [SOURCE],
    define: { 'process.env.NODE_ENV': '"development"' },
    loader: { '.css': 'empty' },
  })
  return new Map(outputFiles.map(({ path, text }) => [basename(path), text]))
}

/** An application over plain HTTP/1.1: a cookie says who is there, and every socket is counted. */
export async function startApp(files: Map<string, string>, options: HoldpointOptions = {}): Promise<TabsApp> {
  const holdpoint = createHoldpoint({
    store: memoryStore(),
    authenticate: (request) => ({ userId: /user=(\w+)/.exec(request.headers.get('cookie') ?? '')?.[1] ?? 'ada' }),
    ...options,
  })
  const handler = toNodeHandler(holdpoint)
  const streams = new Set<IncomingMessage>()
  const sockets = new Set<Socket>()
  const requests: TabsApp['requests'] = []
  const server = createServer((request, response) => {
    const path = request.url ?? ''
    response.once('close', () => streams.delete(request))
    response.once('finish', () => requests.push({ method: request.method ?? '', path, status: response.statusCode }))
    if (path.startsWith('/holdpoint/')) {
      if (/\/events(\?|$)/.test(path)) streams.add(request)
      request.url = path.slice('/holdpoint'.length)
      return void handler(request, response)
    }
    const file = files.get(basename(path))
    if (file) return void response.writeHead(200, { 'content-type': 'text/javascript' }).end(file)
    if (path.startsWith('/whoami')) return void response.end('ada')
    if (path.startsWith('/favicon')) return void response.writeHead(204).end()
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end(
        '<!doctype html><html lang="en"><title>app</title><div id="root"></div><script type="module" src="/stdin.js"></script>',
      )
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    holdpoint,
    streams,
    sockets,
    requests,
    async close() {
      await holdpoint.close()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
