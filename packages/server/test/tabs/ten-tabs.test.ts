import { seeded } from '@holdpoint/conformance/seeded'
import type { Page } from 'playwright-core'
import { expect, test, vi } from 'vitest'
import { type PageWindow, useBrowser, type Visit } from './browser.ts'

/** Ten tabs of one person over HTTP/1.1, where a browser allows six connections to an origin. */
vi.setConfig({ testTimeout: 120_000, hookTimeout: 90_000 })

const visit = useBrowser()
const CONNECTIONS = 2
/** How often the leader ends: fifty times in CI, less elsewhere, where a run should be short. */
const CHANGES = process.env.CI ? 50 : 12

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

test('ten visible tabs hold at most two connections, and each shows the question of its own session', async () => {
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

/** Texts of the events that a page got, in their order. */
const textsOf = (page: Page) =>
  page.evaluate(() => (window as unknown as PageWindow).seen.map(({ event }) => event.text).filter((text) => text))

test(`the leader is closed, crashes, navigates away or is frozen ${CHANGES} times, and no tab has a gap or a duplicate`, async () => {
  const ada = await visit()
  const random = seeded(7)
  const session = ada.app.holdpoint.session('chat-0', { userId: 'ada' })
  await session.open()
  const start = async () => {
    const page = await ada.open('id=chat-0')
    await page.waitForFunction(
      () => (window as unknown as PageWindow).client.getSnapshot().connection.status === 'open',
    )
    return { page, from: count }
  }
  let count = 0
  const tabs = [await start(), await start(), await start(), await start()]
  const living = new Set(tabs)
  const emit = () => session.emit({ type: 'content', text: `${count++}` })
  for (let change = 0; change < CHANGES; change++) {
    // The oldest tab leads: locks are granted in turn.
    const leader = [...living][0]!
    living.delete(leader)
    const { page } = leader
    const how = Math.floor(random() * 4)
    void emit()
    // The command that crashes a page is never answered.
    const send = async (method: 'Page.crash' | 'Page.setWebLifecycleState') =>
      void (await ada.context.newCDPSession(page)).send(method, { state: 'frozen' }).catch(() => {})
    const crashed = page.waitForEvent('crash', { timeout: 0 }).catch(() => {})
    if (how === 0) await page.close()
    else if (how === 1) {
      await send('Page.crash')
      await crashed
    } else if (how === 2) await page.goto('about:blank')
    else await send('Page.setWebLifecycleState')
    await emit()
    await Promise.all([...living].map((tab) => seesAll(tab, () => count)))
    living.add(await start())
  }
  await emit()
  for (const tab of living) await seesAll(tab, () => count)
  await vi.waitFor(() => expect(ada.app.streams.size).toBe(1), { timeout: 15_000 })
  await vi.waitFor(() => expect(ada.app.sockets.size).toBeLessThanOrEqual(CONNECTIONS), { timeout: 15_000 })
}, 300_000)

async function seesAll({ page, from }: { page: Page; from: number }, until: () => number): Promise<void> {
  const all = Array.from({ length: until() - from }, (_, n) => `${from + n}`)
  await vi.waitFor(async () => expect(await textsOf(page)).toEqual(all), { timeout: 20_000, interval: 20 })
}

test('a leader that is frozen without an event is replaced, and the other tabs continue', async () => {
  const ada = await visit()
  const session = ada.app.holdpoint.session('chat-0', { userId: 'ada' })
  await session.open()
  const [leader, ...others] = await openTen(ada, () => 'chat-0')
  // Nothing in the page runs until the debugger resumes it: no event announces this, unlike a freeze.
  const cdp = await ada.context.newCDPSession(leader!)
  await cdp.send('Debugger.enable')
  await cdp.send('Debugger.pause')
  void leader!.evaluate(() => 0).catch(() => {})
  await session.emit({ type: 'content', text: 'while paused' })
  for (const page of others)
    await vi.waitFor(async () => expect(await textsOf(page)).toContain('while paused'), { timeout: 40_000 })
  await cdp.send('Debugger.resume')
  await cdp.send('Debugger.disable')
  await vi.waitFor(async () => expect(await textsOf(leader!)).toEqual(['while paused']), { timeout: 20_000 })
})

test('a page that returns from the back-forward cache shows the events that it missed', async () => {
  const ada = await visit()
  const session = ada.app.holdpoint.session('chat-0', { userId: 'ada' })
  await session.open()
  const [first, second] = [await ada.open('id=chat-0'), await ada.open('id=chat-0')]
  await vi.waitFor(() => expect(ada.app.streams.size).toBe(1), { timeout: 15_000 })
  await first.goto(`${ada.app.url}/?id=other`)
  await session.emit({ type: 'content', text: 'meanwhile' })
  await vi.waitFor(async () => expect(await textsOf(second)).toEqual(['meanwhile']), { timeout: 20_000 })
  ask(ada, 'chat-0')
  await first.goBack()
  await first.getByRole('heading', { name: 'chat-0: 1' }).waitFor()
})

test('a user who signs out in one tab receives nothing in any tab, and another user sees only their own sessions', async () => {
  const ada = await visit()
  const pages = [await ada.open('id=chat-0'), await ada.open('id=chat-0'), await ada.open('id=chat-1')]
  for (const page of pages) await page.getByRole('heading', { name: /: 0$/ }).waitFor()
  await ada.app.holdpoint.session('chat-0', { userId: 'ada' }).open()
  await vi.waitFor(() => expect(ada.app.streams.size).toBe(1), { timeout: 15_000 })
  await ada.context.addCookies([{ name: 'user', value: 'eve', url: ada.app.url }])
  await ada.app.holdpoint.revoke({ userId: 'ada' })
  await vi.waitFor(() => expect(ada.app.streams.size).toBe(1), { timeout: 15_000 })
  ask(ada, 'chat-0')
  await ada.app.holdpoint.session('chat-1', { userId: 'eve' }).emit({ type: 'content', text: 'for eve' })
  await vi.waitFor(async () => expect(await textsOf(pages[2]!)).toEqual(['for eve']), { timeout: 20_000 })
  for (const page of pages.slice(0, 2)) {
    expect(await page.evaluate(() => (window as unknown as PageWindow).seen)).toEqual([])
    expect(await page.getByRole('heading', { name: 'chat-0: 0' }).count()).toBe(1)
  }
})
