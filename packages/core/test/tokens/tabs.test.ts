import { createServer, type Server } from 'node:http'
import { fileURLToPath } from 'node:url'
import type { TokenManager } from '@holdpoint/core/tokens'
import { build } from 'esbuild'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { launchChromium } from '../../../../scripts/chromium.ts'
import type { TokenSet } from '../../src/tokens/types.ts'
import { strictProvider } from './strict-provider.ts'

declare const tokens: TokenManager

let provider: Awaited<ReturnType<typeof strictProvider>>
let server: Server
let origin: string
let browser: Browser
let context: BrowserContext | undefined

beforeAll(async () => {
  provider = await strictProvider()
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('./tabs-page.ts', import.meta.url))],
    bundle: true,
    format: 'esm',
    write: false,
  })
  server = createServer(async (request, response) => {
    const path = request.url?.split('?')[0]
    if (path === '/app.js') return void response.setHeader('content-type', 'text/javascript').end(outputFiles[0]!.text)
    if (path !== '/auth/refresh') {
      return void response.setHeader('content-type', 'text/html').end('<script type="module" src="/app.js"></script>')
    }
    let body = ''
    for await (const chunk of request) body += chunk
    // With a cookie the refresh token never reaches a script.
    const cookie = /refresh=([^;]+)/.exec(request.headers.cookie ?? '')?.[1]
    const answer = await fetch(`${provider.issuer}/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'refresh_token',
        client_id: 'cli',
        refresh_token: cookie ?? JSON.parse(body).refresh_token ?? '',
      }),
    })
    const { refresh_token, ...rest } = await answer.json()
    if (cookie && refresh_token)
      response.setHeader('set-cookie', `refresh=${refresh_token}; HttpOnly; SameSite=Strict; Path=/auth`)
    response.writeHead(answer.status).end(JSON.stringify(cookie ? rest : { ...rest, refresh_token }))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  origin = `http://127.0.0.1:${(server.address() as { port: number }).port}`
  browser = await launchChromium()
}, 60_000)
afterEach(() => context?.close())
afterAll(async () => {
  await browser?.close()
  server.closeAllConnections()
  await new Promise((done) => server.close(done))
  await provider.close()
})

const token = (tab: Page) => tab.evaluate(() => tokens.token().catch((error: { code: string }) => error.code))

async function openTabs(keep: 'memory' | 'localStorage', first: TokenSet): Promise<Page[]> {
  context = await browser.newContext()
  if (keep === 'memory') {
    const { hostname } = new URL(origin)
    const cookie = { name: 'refresh', value: first.refreshToken!, domain: hostname, path: '/auth', httpOnly: true }
    await context.addCookies([cookie])
  }
  const tabs = await Promise.all([1, 2, 3].map(() => context!.newPage()))
  await Promise.all(
    tabs.map(async (tab) => {
      await tab.goto(`${origin}/?keep=${keep}`)
      await tab.waitForFunction(() => 'tokens' in globalThis)
    }),
  )
  if (keep === 'localStorage') await tabs[0]!.evaluate((value) => tokens.signIn(value), first)
  return tabs
}

describe.each(['memory', 'localStorage'] as const)('three tabs with tokens in %s', (keep) => {
  test('refresh once for simultaneous calls, repeatedly, and the family stays valid [Mb.2]', async () => {
    const tabs = await openTabs(keep, await provider.signIn())
    let held = await Promise.all(tabs.flatMap((tab) => [token(tab), token(tab), token(tab)]))
    for (let refreshes = 1; refreshes <= 5; refreshes++) {
      expect(new Set(held).size, String(held)).toBe(1)
      expect(held[0]).not.toMatch(/^(expired|signed_out|session_lost|refresh_failed)$/)
      expect(provider.refreshes()).toBe(refreshes)
      // All tabs learn at the same moment that the service rejects the token.
      held = await Promise.all(tabs.map((tab) => tab.evaluate((old) => tokens.renew(old), held[0]!)))
    }
    // A tab that opens later received no message, and asks the others.
    const late = await context!.newPage()
    await late.goto(`${origin}/?keep=${keep}`)
    await late.waitForFunction(() => 'tokens' in globalThis)
    expect([await token(late), provider.refreshes()]).toEqual([held[0], 6])
  }, 30_000)

  test('are all signed out when one signs out', async () => {
    const tabs = await openTabs(keep, await provider.signIn())
    await Promise.all(tabs.map(token))
    await tabs[1]!.evaluate(() => tokens.signOut())
    for (const tab of tabs) await expect.poll(() => tab.evaluate(() => tokens.status())).toBe('signed-out')
    expect(await token(tabs[0]!)).toBe('signed_out')
  })

  test('continue if one closes during a refresh', async () => {
    const tabs = await openTabs(keep, await provider.signIn())
    let first = true
    await context!.route('**/auth/refresh', async (route) => {
      if (!first) return route.continue()
      // The first request fails, and its tab closes before the retry and releases the lock. (Closing alone would let
      // the request through, and a provider without a grace window could end the session.)
      first = false
      await route.abort()
      await route.request().frame().page().close()
    })
    const waiting = tabs.map((tab) => token(tab).catch(() => 'gone'))
    const all = await Promise.all(waiting)
    expect(all.filter((got) => got === 'gone')).toHaveLength(1)
    const [one, other] = all.filter((got) => got !== 'gone')
    expect([one === other, one!.length > 20]).toEqual([true, true])
    expect(provider.refreshes()).toBe(1)
  }, 30_000)
})

test('the memory store leaves nothing on disk, and no script can read the cookie', async () => {
  const first = await provider.signIn()
  const [tab] = await openTabs('memory', first)
  expect(await token(tab!)).not.toBe('signed_out')
  const visible = await tab!.evaluate(() => document.cookie + JSON.stringify({ ...localStorage, ...sessionStorage }))
  expect(visible).toBe('{}')
})
