import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createHoldpoint } from '@holdpoint/server'
import { answerPage } from '@holdpoint/server/answer-page'
import { toNodeHandler } from '@holdpoint/server/node'
import { sqliteStore } from '@holdpoint/server/sqlite'
import { addSurfaces } from '@holdpoint/server/surfaces'
import { build } from 'esbuild'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { launchChromium } from '../../../../scripts/chromium.ts'
import { SOURCE } from '../../../../scripts/published.ts'
import { boardWorld } from './support/board.ts'

/** Messages are sent only once the user has not looked for `UNSEEN_MS`: pages in Chromium, two nodes on one SQLite file. */
const ROOT = fileURLToPath(new URL('../../../..', import.meta.url))
const UNSEEN_MS = 1_000
const LONG_ENOUGH_MS = 3 * UNSEEN_MS
const PAGE = `
import { createHoldpointClient, sse } from '@holdpoint/core'
import { HoldpointProvider, usePendingInteractions, useConnectionState } from '@holdpoint/react'
import { useInbox } from '@holdpoint/react/query'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createRoot } from 'react-dom/client'

const url = '/holdpoint'
function Questions() {
  return <><p id="questions">{usePendingInteractions().length}</p><p id="status">{useConnectionState().status}</p></>
}
function Listed({ presence }) {
  return <p id="questions">{useInbox({ url, presence, refetchIntervalMs: 500 }).items.length}</p>
}
const pages = {
  '/chat': () => {
    const client = createHoldpointClient({ sessionId: 'chat', transport: sse({ url }) })
    return <HoldpointProvider client={client}><Questions /></HoldpointProvider>
  },
  '/inbox': () => <QueryClientProvider client={new QueryClient()}><Listed presence /></QueryClientProvider>,
  '/badge': () => <QueryClientProvider client={new QueryClient()}><Listed presence={false} /></QueryClientProvider>,
}
createRoot(document.getElementById('root')).render(pages[location.pathname]())
`
let browser: Browser
let script = ''

beforeAll(async () => {
  browser = await launchChromium()
  const { outputFiles } = await build({
    stdin: { contents: PAGE, resolveDir: join(ROOT, 'packages/react'), loader: 'tsx' },
    ...{ bundle: true, write: false, jsx: 'automatic', format: 'esm', conditions: [SOURCE] },
    define: { 'process.env.NODE_ENV': '"development"' },
  })
  script = outputFiles[0]?.text ?? ''
}, 120_000)
afterAll(() => browser?.close())

async function world() {
  const folder = mkdtempSync(join(tmpdir(), 'holdpoint-presence-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const board = boardWorld()
  const node = async (port = 0) => {
    const holdpoint = createHoldpoint({
      store: sqliteStore({ path: join(folder, 'data.db') }),
      name: crypto.randomUUID(),
      logger: { debug() {}, info() {}, warn() {}, error() {} },
      authenticate: () => ({ userId: 'ada' }),
      timing: { presenceMs: 20_000 },
    })
    addSurfaces(holdpoint, {
      pages: answerPage(holdpoint, { url: 'https://app.example.com/holdpoint' }),
      surfaces: [board.surface],
      route: { unseenFor: UNSEEN_MS },
    })
    const handler = toNodeHandler(holdpoint)
    const server = createServer((request, response) => {
      const path = request.url ?? ''
      if (path.startsWith('/holdpoint/')) {
        request.url = path.slice('/holdpoint'.length)
        return void handler(request, response)
      }
      const isScript = path === '/page.js'
      response.writeHead(200, { 'content-type': isScript ? 'text/javascript' : 'text/html' })
      response.end(
        isScript ? script : '<!doctype html><div id="root"></div><script type="module" src="/page.js"></script>',
      )
    })
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
    const stop = once(() => stopped(server, () => holdpoint.close()))
    onTestFinished(stop)
    return { holdpoint, stop, port: (server.address() as AddressInfo).port }
  }
  const [near, far] = [await node(), await node()]
  const context = await browser.newContext()
  onTestFinished(() => context.close())
  const open = async (path: string) => {
    const page = await context.newPage()
    await page.goto(`http://127.0.0.1:${near.port}${path}`)
    return page
  }
  let asked = 0
  const ask = (holdpoint = far.holdpoint) => {
    const call = { runId: 'run', toolCallId: `call-${++asked}`, toolName: 'deploy' }
    void holdpoint
      .session('chat', { userId: 'ada' })
      .toolCall(call)
      .tryApprove({ prompt: `Deploy ${asked}?` })
      .catch(() => {})
  }
  const sent = () => board.messages().map(({ text }) => text)
  /** The questions that the page lists. */
  const shows = (page: Page, count: number) => expect.poll(() => page.textContent('#questions')).toBe(`${count}`)
  return { node, near, open, ask, sent, shows }
}

const once = (work: () => Promise<void>) => {
  let done: Promise<void> | undefined
  return () => (done ??= work())
}
async function stopped(server: Server, close: () => Promise<void>): Promise<void> {
  await close()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
}
const wait = () => new Promise((resolve) => setTimeout(resolve, LONG_ENOUGH_MS))

/** Chromium without a window hides no tab, so this page reports what a hidden one reports. */
const show = (page: Page, state: 'visible' | 'hidden') =>
  page.evaluate((now) => {
    // A page that is left reports its end by its own properties.
    for (const name of ['visibilityState', 'hidden']) Reflect.deleteProperty(document, name)
    if (now === 'hidden') {
      Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => now })
      Object.defineProperty(document, 'hidden', { configurable: true, get: () => true })
    }
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
  }, state)

test('no message is sent while the session is on a visible page, and a hidden or closed page does not count', {
  timeout: 60_000,
}, async () => {
  const { open, ask, sent, shows } = await world()
  ask()
  await expect.poll(sent, { timeout: 10_000 }).toEqual(['Deploy 1?'])
  const page = await open('/chat')
  await shows(page, 1)
  ask()
  await shows(page, 2)
  await wait()
  expect(sent()).toEqual(['Deploy 1?'])
  await show(page, 'hidden')
  await expect.poll(sent, { timeout: 10_000 }).toEqual(['Deploy 1?', 'Deploy 2?'])
  await show(page, 'visible')
  ask()
  await shows(page, 3)
  await wait()
  expect(sent()).toHaveLength(2)
  await page.close()
  await expect.poll(sent, { timeout: 10_000 }).toEqual(['Deploy 1?', 'Deploy 2?', 'Deploy 3?'])
})

test('a tab that was in the background from its start does not count, and one visible tab of two is enough', {
  timeout: 60_000,
}, async () => {
  const { open, ask, sent, shows } = await world()
  const page = await open('/chat')
  await page.waitForSelector('#status')
  await show(page, 'hidden')
  ask()
  await shows(page, 1)
  await expect.poll(sent, { timeout: 10_000 }).toEqual(['Deploy 1?'])
  const other = await open('/chat')
  await shows(other, 1)
  ask()
  await shows(other, 2)
  await wait()
  expect(sent()).toHaveLength(1)
  await other.close()
  await expect.poll(sent, { timeout: 10_000 }).toHaveLength(2)
})

test('a visible inbox counts for the questions of all sessions; a hidden one, one that was left, and a badge do not', {
  timeout: 60_000,
}, async () => {
  const { open, ask, sent, shows } = await world()
  const inbox = await open('/inbox')
  await shows(inbox, 0)
  ask()
  await shows(inbox, 1)
  await wait()
  expect(sent()).toEqual([])
  await show(inbox, 'hidden')
  await expect.poll(sent, { timeout: 10_000 }).toEqual(['Deploy 1?'])
  await show(inbox, 'visible')
  ask()
  await wait()
  expect(sent()).toHaveLength(1)
  await inbox.goto('about:blank')
  await expect.poll(sent, { timeout: 10_000 }).toHaveLength(2)
  const badge = await open('/badge')
  await shows(badge, 2)
  ask()
  await expect.poll(sent, { timeout: 10_000 }).toHaveLength(3)
})

test('a page that is open while its node restarts counts again once it is connected', {
  timeout: 60_000,
}, async () => {
  const { node, near, open, ask, sent, shows } = await world()
  ask()
  await expect.poll(sent, { timeout: 10_000 }).toEqual(['Deploy 1?'])
  const page = await open('/chat')
  await shows(page, 1)
  await near.stop()
  const status = () => page.textContent('#status')
  await expect.poll(status, { timeout: 20_000 }).not.toBe('open')
  const again = await node(near.port)
  await expect.poll(status, { timeout: 20_000 }).toBe('open')
  // The page reports that it is visible once it is connected.
  await wait()
  ask(again.holdpoint)
  await shows(page, 2)
  await wait()
  expect(sent()).toEqual(['Deploy 1?'])
  await show(page, 'hidden')
  await expect.poll(sent, { timeout: 10_000 }).toHaveLength(2)
})
