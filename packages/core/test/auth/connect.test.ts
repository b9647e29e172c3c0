import { createServer, type IncomingMessage, type Server } from 'node:http'
import { fileURLToPath } from 'node:url'
import type { ConnectAttempt } from '@holdpoint/core'
import { build } from 'esbuild'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { launchChromium } from '../../../../scripts/chromium.ts'
import type { AuthReturn } from '../../src/connect/auth-return.ts'

declare const steps: string[]
declare const attempt: ConnectAttempt
declare const returned: AuthReturn | null
declare const connected: () => string[]
declare const look: () => Promise<void>

/** The application, and a provider on another origin. Only the provider makes `granted` true. */
let app: Server
let provider: Server
let appUrl: string
let providerUrl: string
let granted = false
let hints: unknown[] = []
let coop = false
let browser: Browser
let context: BrowserContext

const html = (body: string) => `<!doctype html><body>${body}`
const bodyOf = async (request: IncomingMessage) => {
  let text = ''
  for await (const chunk of request) text += chunk
  return JSON.parse(text)
}
const listen = async (server: Server) => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return (server.address() as { port: number }).port
}

beforeAll(async () => {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('./connect-page.ts', import.meta.url))],
    bundle: true,
    format: 'esm',
    write: false,
  })
  app = createServer(async (request, response) => {
    const url = new URL(request.url ?? '', appUrl)
    if (url.pathname === '/app.js')
      return void response.setHeader('content-type', 'text/javascript').end(outputFiles[0]!.text)
    if (url.pathname === '/state') return void response.end(JSON.stringify({ connected: granted }))
    if (url.pathname === '/hint') {
      hints.push(await bodyOf(request))
      return void response.end('{}')
    }
    if (url.pathname === '/connect') {
      const { returnTo } = await bodyOf(request)
      const flow = `${providerUrl}/authorize?${new URLSearchParams({ returnTo })}`
      return void response.end(JSON.stringify({ flowId: 'flow-1', url: flow }))
    }
    response.setHeader('content-type', 'text/html').end(html('<script type="module" src="/app.js"></script>'))
  })
  provider = createServer((request, response) => {
    const url = new URL(request.url ?? '', providerUrl)
    const back = new URL(url.searchParams.get('returnTo') || appUrl)
    const params = { generation_id: 'run-1', flow_id: 'flow-1' }
    if (url.pathname === '/allow') {
      granted = true
      for (const [name, value] of Object.entries({ ...params, auth_complete: 'slack' }))
        back.searchParams.set(name, value)
      return void response.writeHead(303, { location: back.href }).end()
    }
    if (url.pathname === '/deny') {
      const no = { ...params, auth_failed: 'slack', auth_error: 'access_denied' }
      for (const [name, value] of Object.entries(no)) back.searchParams.set(name, value)
      return void response.writeHead(303, { location: back.href }).end()
    }
    if (coop) response.setHeader('cross-origin-opener-policy', 'same-origin')
    const link = (path: string) => `<a id="${path}" href="/${path}${url.search.replaceAll('"', '')}">${path}</a>`
    const spy = '<script>document.title = String(window.opener)</script>'
    response.setHeader('content-type', 'text/html').end(html(link('allow') + link('deny') + spy))
  })
  appUrl = `http://127.0.0.1:${await listen(app)}`
  providerUrl = `http://localhost:${await listen(provider)}`
  browser = await launchChromium()
}, 60_000)
afterAll(async () => {
  await browser?.close()
  for (const server of [app, provider]) {
    server.closeAllConnections()
    await new Promise((done) => server.close(done))
  }
})
beforeEach(async () => {
  granted = false
  coop = false
  hints = []
  context = await browser.newContext()
})
afterEach(() => context.close())

async function openApp(query = ''): Promise<Page> {
  const page = await context.newPage()
  await page.goto(`${appUrl}/chat/7${query}`)
  await page.waitForFunction(() => 'returned' in globalThis)
  return page
}
async function clickConnect(page: Page): Promise<Page> {
  const [popup] = await Promise.all([context.waitForEvent('page'), page.click('#connect')])
  await popup.waitForSelector('#allow')
  return popup
}
const lastStep = (page: Page) => page.evaluate(() => steps.at(-1))

describe('connecting in a popup window', () => {
  test('a reported connection is checked and shown as connected, the window closes, and the provider cannot access ours', async () => {
    const page = await openApp('?thread=9#end')
    const popup = await clickConnect(page)
    expect(await lastStep(page)).toBe('waiting')
    expect(await popup.title()).toBe('null')
    await Promise.all([popup.waitForEvent('close'), popup.click('#allow')])
    await expect.poll(() => lastStep(page)).toBe('connected')
    expect(await page.evaluate(async () => [steps[0], (await attempt.done).step])).toEqual(['opening', 'connected'])
    expect(hints).toContainEqual({ generationId: 'run-1', integration: 'slack', success: true })
    expect(page.url()).toBe(`${appUrl}/chat/7?thread=9#end`)
  })

  test('a denial at the provider is reported, and nothing is connected', async () => {
    const page = await openApp()
    const popup = await clickConnect(page)
    await popup.click('#deny')
    await expect.poll(() => lastStep(page)).toBe('denied')
    expect(await page.evaluate(() => connected())).toEqual([])
    expect(hints).toEqual([{ generationId: 'run-1', integration: 'slack', success: false }])
  })

  test('a window closed early is reported after a check by the server, and can be opened again', async () => {
    const page = await openApp()
    const popup = await clickConnect(page)
    await popup.close()
    await expect.poll(() => page.evaluate(() => steps.includes('checking')), { timeout: 5_000 }).toBe(true)
    await expect.poll(() => hints.length, { timeout: 5_000 }).toBe(1)
    const [again] = await Promise.all([context.waitForEvent('page'), page.click('#again')])
    await again.waitForSelector('#allow')
    await again.click('#allow')
    await expect.poll(() => lastStep(page)).toBe('connected')
  })

  test('with a lost opener (COOP) the window only seems closed, and its result still arrives', async () => {
    coop = true
    const page = await openApp()
    const popup = await clickConnect(page)
    await popup.waitForTimeout(700)
    expect(await page.evaluate(() => ['waiting', 'checking'].includes(steps.at(-1)!))).toBe(true)
    await popup.click('#allow')
    await expect.poll(() => lastStep(page)).toBe('connected')
  })

  test('a blocked window offers the address as a link, and its result arrives', async () => {
    const page = await openApp()
    await page.evaluate(() => {
      window.open = () => null
    })
    await page.click('#connect')
    await expect.poll(() => lastStep(page)).toBe('blocked')
    const url = await page.evaluate(() => (attempt.state() as { url: string }).url)
    const tab = await context.newPage()
    await tab.goto(url)
    await tab.click('#allow')
    await expect.poll(() => lastStep(page)).toBe('connected')
  })

  test('the event stream alone reports the result if no channel between windows exists', async () => {
    const page = await openApp()
    await page.evaluate(() => Object.assign(globalThis, { BroadcastChannel: undefined }))
    await clickConnect(page)
    granted = true
    await page.evaluate(() => look())
    await expect.poll(() => lastStep(page)).toBe('connected')
  })

  test('a browser without BroadcastChannel receives the result through storage', async () => {
    await context.addInitScript(() => Reflect.deleteProperty(globalThis, 'BroadcastChannel'))
    const page = await openApp()
    // Without a window of ours that closes, only the storage event can report the result.
    await page.evaluate(() => {
      window.open = () => null
    })
    await page.click('#connect')
    await expect.poll(() => lastStep(page)).toBe('blocked')
    const tab = await context.newPage()
    await tab.goto(await page.evaluate(() => (attempt.state() as { url: string }).url))
    await tab.click('#allow')
    await expect.poll(() => lastStep(page)).toBe('connected')
  })

  test('a forged result is not trusted: the server is asked and denies it', async () => {
    const page = await openApp()
    await clickConnect(page)
    const forger = await context.newPage()
    await forger.goto(`${appUrl}/chat/7?auth_complete=slack&generation_id=run-1&flow_id=flow-1`)
    await expect.poll(() => lastStep(page)).toBe('checking')
    await expect.poll(() => hints.length, { timeout: 5_000 }).toBeGreaterThan(0)
    await page.waitForTimeout(200)
    expect(await page.evaluate(() => [steps.includes('connected'), connected().length])).toEqual([false, 0])
  })
})

describe('connecting by a redirect of the page', () => {
  test('a page that lost all state finds its run again and leaves nothing in the address', async () => {
    const page = await openApp('?mode=redirect&thread=9')
    await page.click('#connect')
    await page.waitForURL(`${providerUrl}/**`)
    await page.click('#allow')
    await page.waitForURL(`${appUrl}/**`)
    await page.waitForFunction(() => 'returned' in globalThis)
    expect(await page.evaluate(() => returned?.generationId)).toBe('run-1')
    expect(page.url()).toBe(`${appUrl}/chat/7?mode=redirect&thread=9`)
    expect(await page.evaluate(() => connected())).toEqual(['slack'])
    await page.goBack()
    await page.goForward()
    expect(page.url()).not.toContain('auth_')
  })

  test('a flow can end in another tab than it began in', async () => {
    const first = await openApp()
    const popup = await clickConnect(first)
    const url = popup.url()
    await popup.close()
    const second = await context.newPage()
    await second.goto(url)
    await second.click('#allow')
    await expect.poll(() => lastStep(first)).toBe('connected')
  })
})

test('a forged return link only causes a check, and nothing is connected [T10.2]', async () => {
  const page = await openApp('?auth_complete=slack&generation_id=run-1&flow_id=flow-1')
  expect(await page.evaluate(() => connected())).toEqual([])
  expect(hints).toHaveLength(1)
  expect(page.url()).toBe(`${appUrl}/chat/7`)
})
