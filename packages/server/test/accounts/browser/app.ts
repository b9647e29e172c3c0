import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '@holdpoint/conformance/free-port'
import { type LocalOAuth, localOAuth } from '@holdpoint/conformance/local-oauth'
import { build } from 'esbuild'
import { SOURCE } from '../../../../../scripts/published.ts'
import type { AppSetup } from './app.child.ts'

const CHILD = fileURLToPath(new URL('./app.child.ts', import.meta.url))
const ROOT = fileURLToPath(new URL('../../../../..', import.meta.url))

/** The page of an app, with the card that people see. `?redirect` leaves the page instead of opening a window. */
const PAGE = `
import { createHoldpointClient, sse } from '@holdpoint/core'
import { AuthRequestCard, HoldpointProvider, useAuthReturn } from '@holdpoint/react'
import { useSyncExternalStore } from 'react'
import { createRoot } from 'react-dom/client'

const here = new URL(location.href)
const client = createHoldpointClient({ sessionId: here.pathname.slice(1), transport: sse({ url: '/holdpoint' }) })
function App() {
  const state = useSyncExternalStore(client.subscribe, client.getSnapshot)
  useAuthReturn()
  return [...state.interactions.values()].map((one) => (
    <AuthRequestCard key={one.interactionId} interaction={one} redirect={here.searchParams.has('redirect') || undefined} />
  ))
}
createRoot(document.getElementById('root')).render(<HoldpointProvider client={client}><App /></HoldpointProvider>)
`

/** A server process that can be killed and started again, and a real OAuth provider that outlives it. */
export interface App {
  origin: string
  oauth: LocalOAuth
  /** Starts a tool call that needs Slack, in a session of its own. */
  begin(session: string, userId: string): Promise<void>
  /** kill -9, and a new process on the same database and port. */
  restart(): Promise<void>
  close(): Promise<void>
}

export async function startApp(): Promise<App> {
  const folder = mkdtempSync(join(tmpdir(), 'hp-connecting-'))
  const port = await freePort()
  const origin = `http://localhost:${port}`
  const oauth = await localOAuth({ redirectUris: [`${origin}/holdpoint/connections/callback`] })
  const setup: AppSetup = {
    port,
    database: join(folder, 'data.db'),
    providers: [oauth.slack],
    api: oauth.url,
    script: join(folder, 'app.js'),
  }
  writeFileSync(setup.script, await bundled())
  let child: ChildProcess | undefined

  const start = () =>
    new Promise<void>((ready, failed) => {
      const started = spawn(
        process.execPath,
        ['--conditions=holdpoint-source', '--disable-warning=ExperimentalWarning', CHILD, JSON.stringify(setup)],
        { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] },
      )
      child = started
      started.once('message', () => ready())
      started.once('exit', (code) => failed(new Error(`The app ended (${code}) before it was ready.`)))
    })
  const kill = async () => {
    const running = child
    if (!running || running.exitCode !== null || running.signalCode !== null) return
    const gone = new Promise((done) => running.once('exit', done))
    running.kill('SIGKILL')
    await gone
  }
  await start()

  return {
    origin,
    oauth,
    async begin(session, userId) {
      await fetch(`${origin}/start?session=${session}&user=${userId}`)
    },
    async restart() {
      await kill()
      await start()
    },
    async close() {
      await kill()
      await oauth.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function bundled(): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: PAGE, resolveDir: ROOT, loader: 'tsx' },
    bundle: true,
    write: false,
    jsx: 'automatic',
    format: 'esm',
    minify: true,
    conditions: [SOURCE],
    define: { 'process.env.NODE_ENV': '"production"' },
    loader: { '.css': 'empty' },
  })
  return outputFiles[0]?.text ?? ''
}
