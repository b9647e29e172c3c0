import type { Page } from 'playwright-core'
import { describe, expect, test, vi } from 'vitest'
import type { TabsApp } from './app.ts'
import { type PageWindow, useBrowser } from './browser.ts'

/** Chats that a person switches between in one page, over HTTP/1.1, where a browser allows six connections an origin. */
vi.setConfig({ testTimeout: 90_000, hookTimeout: 90_000 })

const visit = useBrowser()

async function open(query: string): Promise<{ app: TabsApp; page: Page }> {
  const { app, open } = await visit()
  for (let i = 0; i < 10; i++) {
    const session = app.holdpoint.session(`chat-${i}`, { userId: 'ada' })
    await session.emit({ type: 'content', text: 'hello' })
  }
  return { app, page: await open(`id=chat-0${query}`) }
}

/** Milliseconds from asking the first question of a chat, which the page has open for so long, to its being drawn. */
async function firstQuestion(app: TabsApp, page: Page, id: string, idleMs: number): Promise<number> {
  await page.evaluate((chat) => (window as unknown as PageWindow).show(chat), id)
  await page.getByRole('heading', { name: `${id}: 0` }).waitFor()
  await page.waitForTimeout(idleMs)
  const seen = page.evaluate(
    (text) =>
      new Promise<number>((resolve) => {
        const look = () => (document.querySelector('h1')?.textContent === text ? resolve(Date.now()) : null)
        new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true })
      }),
    `${id}: 1`,
  )
  const asked = Date.now()
  const session = app.holdpoint.session(id, { userId: 'ada' })
  const call = session.toolCall({ runId: 'run-1', toolCallId: 'call-1', toolName: 'delete' })
  void call.approve({ timeoutMs: 60_000 }).catch(() => {})
  return (await seen) - asked
}

test('the first question of a new chat is shown within 500 ms, without an error in the console', async () => {
  const { app, page } = await open('&strict')
  // The machine of a test may be busy: one of three is enough, and a client that polls would be late each time.
  const times: number[] = []
  for (let i = 0; i < 3 && !times.some((ms) => ms < 500); i++)
    times.push(await firstQuestion(app, page, `fresh-${i}`, 12_000))
  expect(Math.min(...times)).toBeLessThan(500)
  const fresh = app.requests.filter(({ path }) => path.includes('fresh'))
  expect(fresh.filter(({ status }) => status >= 400)).toEqual([])
  expect(fresh.length).toBeLessThanOrEqual(3 * times.length)
})

describe.each([
  ['a client in useMemo', ''],
  ['a client in useMemo, in StrictMode', '&strict'],
  ['a client that the provider owns', '&owned'],
  ['a client that the provider owns, in StrictMode', '&owned&strict'],
])('%s', (_pattern, query) => {
  test('leaves no stream behind when ten chats are switched, and the page can still fetch', async () => {
    const { app, page } = await open(query)
    for (let i = 0; i < 10; i++) {
      await page.evaluate((id) => (window as unknown as PageWindow).show(id), `chat-${i}`)
      await page.getByRole('heading', { name: `chat-${i}: 0` }).waitFor()
      await page.waitForTimeout(100)
    }
    const fetched = await page.evaluate(() =>
      Promise.race([
        fetch('/whoami').then((response) => response.text()),
        new Promise((resolve) => setTimeout(() => resolve('the request hangs'), 8_000)),
      ]),
    )
    expect(fetched).toBe('ada')
    await vi.waitFor(() => expect(app.streams.size).toBe(1), { timeout: 5_000 })
    const session = app.holdpoint.session('chat-9', { userId: 'ada' })
    void session
      .toolCall({ runId: 'run-1', toolCallId: 'call-1', toolName: 'delete' })
      .approve({ timeoutMs: 60_000 })
      .catch(() => {})
    await page.getByRole('heading', { name: 'chat-9: 1' }).waitFor()
    await page.evaluate(() => (window as unknown as PageWindow).show(null))
    await vi.waitFor(() => expect(app.streams.size).toBe(0), { timeout: 5_000 })
  })
})
