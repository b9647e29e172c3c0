import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { createServer, defaultClientConditions, type ViteDevServer } from 'vite'
import { expect, test, vi } from 'vitest'
import { SOURCE } from '../../../../scripts/published.ts'
import { useBrowser } from './browser.ts'

/**
 * A page that its author edits while it is open: Vite replaces the components, and React runs their effects again. Its
 * clients share no stream, so that one that was left behind shows.
 */
vi.setConfig({ testTimeout: 120_000, hookTimeout: 90_000 })

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url))
const visit = useBrowser()

const provider = {
  'a client in useMemo': `
    const client = useMemo(() => createHoldpointClient({ sessionId: 'chat', transport: sse({ url: '/holdpoint', share: false }) }), [])
    return <HoldpointProvider client={client}><Card /></HoldpointProvider>`,
  'a client that the provider owns': `
    return <HoldpointProvider options={{ sessionId: 'chat', transport: sse({ url: '/holdpoint', share: false }) }}><Card /></HoldpointProvider>`,
}

const appWith = (body: string, label: string) => `
import { createHoldpointClient, sse } from '@holdpoint/core'
import { HoldpointProvider, useAttention } from '@holdpoint/react'
import { useMemo, useState } from 'react'

function Card() {
  const { count } = useAttention()
  const [kept] = useState(() => (window.mounted = (window.mounted ?? 0) + 1))
  return <h1>${label}: {count}, mount {kept}</h1>
}
export function App() {${body}
}
`

/** A folder with the page, served by Vite, which passes Holdpoint's requests on. */
async function devServer(target: string, app: string): Promise<ViteDevServer & { edit(app: string): void }> {
  const root = mkdtempSync(join(tmpdir(), 'holdpoint-refresh-'))
  const edit = (text: string) => writeFileSync(join(root, 'app.tsx'), text)
  edit(app)
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'))
  writeFileSync(
    join(root, 'main.tsx'),
    `import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
createRoot(document.getElementById('root')).render(<App />)`,
  )
  writeFileSync(
    join(root, 'index.html'),
    '<!doctype html><html lang="en"><title>app</title><link rel="icon" href="data:,"><div id="root"></div><script type="module" src="/main.tsx"></script>',
  )
  const server = await createServer({
    root,
    configFile: false,
    logLevel: 'error',
    cacheDir: join(root, '.vite'),
    plugins: [react()],
    resolve: { conditions: [SOURCE, ...defaultClientConditions] },
    optimizeDeps: { include: ['react', 'react-dom/client', 'react/jsx-dev-runtime'] },
    server: {
      host: '127.0.0.1',
      port: 0,
      proxy: { '/holdpoint': target },
      fs: { strict: false },
      watch: { usePolling: true },
    },
  })
  await server.listen()
  const close = server.close.bind(server)
  return Object.assign(server, {
    edit,
    close: async () => {
      await close()
      rmSync(root, { recursive: true, force: true })
    },
  })
}

test.each(Object.entries(provider))(
  'an edited page keeps one stream and receives the next question: %s',
  async (_pattern, body) => {
    const { app, context } = await visit()
    const session = app.holdpoint.session('chat', { userId: 'ada' })
    await session.emit({ type: 'content', text: 'hello' })
    const server = await devServer(app.url, appWith(body, 'version 0'))
    try {
      const page = await context.newPage()
      await page.goto(server.resolvedUrls?.local[0] ?? '')
      await page.getByRole('heading', { name: 'version 0: 0, mount 1' }).waitFor({ timeout: 60_000 })
      for (let version = 1; version <= 5; version++) {
        server.edit(appWith(body, `version ${version}`))
        await page.getByRole('heading', { name: `version ${version}: 0, mount 1` }).waitFor()
      }
      await vi.waitFor(() => expect(app.streams.size).toBe(1), { timeout: 10_000 })
      const call = session.toolCall({ runId: 'run-1', toolCallId: 'call-1', toolName: 'delete' })
      void call.approve({ timeoutMs: 60_000 }).catch(() => {})
      await page.getByRole('heading', { name: 'version 5: 1, mount 1' }).waitFor()
      expect(app.streams.size).toBe(1)
      await page.close()
    } finally {
      await server.close()
    }
  },
)
