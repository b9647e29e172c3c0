import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { chromiumPath } from '../../../../scripts/chromium.ts'
import { buildPage, startApp } from './app.ts'

/** Ten tabs of one person over HTTP/1.1, each with another session: one in sight, nine behind it. */
vi.setConfig({ testTimeout: 120_000, hookTimeout: 90_000 })

let browser: Browser
let files: Map<string, string>
beforeAll(async () => {
  files = await buildPage()
  browser = await chromium.launch({ executablePath: await chromiumPath(), args: ['--no-sandbox', '--disable-gpu'] })
})
afterAll(() => browser?.close())

/** Headless Chromium shows all of its tabs: this is what a window does with those behind the active one. */
const setVisible = (page: Page, visible: boolean) =>
  page.evaluate(
    (state) => {
      Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => state })
      window.dispatchEvent(new Event('visibilitychange'))
    },
    visible ? 'visible' : 'hidden',
  )

test('ten tabs load, hold at most two connections, and each shows its question when it comes into sight', async () => {
  const app = await startApp(files)
  onTestFinished(() => app.close())
  const context = await browser.newContext()
  onTestFinished(() => context.close())
  const pages: Page[] = []
  for (let i = 0; i < 10; i++) {
    const page = await context.newPage()
    await page.goto(`${app.url}/?id=chat-${i}`)
    await page.getByRole('heading', { name: `chat-${i}: 0` }).waitFor()
    for (const behind of pages.slice(-1)) await setVisible(behind, false)
    pages.push(page)
  }
  await vi.waitFor(() => expect(app.streams.size).toBe(1), { timeout: 15_000 })
  await vi.waitFor(() => expect(app.sockets.size).toBeLessThanOrEqual(2), { timeout: 15_000 })
  const call = app.holdpoint
    .session('chat-3', { userId: 'ada' })
    .toolCall({ runId: 'r', toolCallId: 'call-1', toolName: 'x' })
  void call.approve({ timeoutMs: 60_000 }).catch(() => {})
  await setVisible(pages[9]!, false)
  await setVisible(pages[3]!, true)
  await pages[3]!.getByRole('heading', { name: 'chat-3: 1' }).waitFor({ timeout: 5_000 })
})
