import type { Page } from 'playwright-core'
import { expect, test, vi } from 'vitest'
import { type PageWindow, useBrowser, type Visit } from './browser.ts'

/** Ten tabs of one person over HTTP/1.1, where a browser allows six connections to an origin. */
vi.setConfig({ testTimeout: 120_000, hookTimeout: 90_000 })

const visit = useBrowser()
const CONNECTIONS = 2

async function openTen({ app, open }: Visit, sessionOf: (tab: number) => string): Promise<Page[]> {
  const pages: Page[] = []
  for (let tab = 0; tab < 10; tab++) {
    const page = await open(`id=${sessionOf(tab)}`)
    await page.getByRole('heading', { name: `${sessionOf(tab)}: 0` }).waitFor()
    pages.push(page)
  }
  await vi.waitFor(() => expect(app.streams.size).toBe(1), { timeout: 15_000 })
  await vi.waitFor(() => expect(app.sockets.size).toBeLessThanOrEqual(CONNECTIONS), { timeout: 15_000 })
  return pages
}

const ask = ({ app }: Visit, id: string) =>
  void app.holdpoint
    .session(id, { userId: 'ada' })
    .toolCall({ runId: 'r', toolCallId: 'call-1', toolName: 'x' })
    .approve({ timeoutMs: 60_000 })
    .catch(() => {})

test('ten tabs in sight hold at most two connections, and each shows the question of its own session', async () => {
  const ada = await visit()
  const pages = await openTen(ada, (tab) => `chat-${tab}`)
  for (let tab = 0; tab < 10; tab++) ask(ada, `chat-${tab}`)
  for (const [tab, page] of pages.entries()) await page.getByRole('heading', { name: `chat-${tab}: 1` }).waitFor()
  expect(ada.app.streams.size).toBe(1)
  await vi.waitFor(() => expect(ada.app.sockets.size).toBeLessThanOrEqual(CONNECTIONS), { timeout: 15_000 })
  expect(await pages[0]!.evaluate(() => fetch('/whoami').then((response) => response.text()))).toBe('ada')
})

test('ten tabs of one session show its question within 500 ms', async () => {
  const ada = await visit()
  const pages = await openTen(ada, () => 'chat-0')
  const before = Date.now()
  ask(ada, 'chat-0')
  const times = await Promise.all(
    pages.map(async (page) => {
      await page.getByRole('heading', { name: 'chat-0: 1' }).waitFor()
      const seen = await page.evaluate(() => (window as unknown as PageWindow).seen)
      return seen.find(({ event }) => (event as { type?: string }).type === 'interaction_request')!.at - before
    }),
  )
  expect(Math.min(...times)).toBeLessThan(500)
})
