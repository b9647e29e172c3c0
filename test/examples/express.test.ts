import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { launchChromium } from '../../scripts/chromium.ts'
import { buildExample } from '../../scripts/example-build.ts'
import { type ExampleServer, exampleServer } from './example-server.ts'

/** The Express example, clicked through in a real browser as a person would. */
let server: ExampleServer
let browser: Browser
const contexts: BrowserContext[] = []

beforeAll(async () => {
  if (!(await buildExample('express'))) throw new Error('The page does not build: see above.')
  server = await exampleServer('express', () => ({ HOLDPOINT_LATER_MS: '1500' }))
  await server.start()
  browser = await launchChromium()
}, 300_000)
afterAll(async () => {
  await browser?.close()
  await server?.dispose()
})
afterEach(async () => {
  for (const context of contexts.splice(0)) await context.close()
})

async function device(viewport = { width: 1000, height: 900 }): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport })
  context.setDefaultTimeout(15_000)
  contexts.push(context)
  return context
}

async function signIn(context: BrowserContext, name: 'Ada' | 'Grace', session?: string): Promise<Page> {
  const page = await context.newPage()
  await page.goto(session ? `${server.url}/?session=${session}` : server.url)
  await page.getByRole('button', { name }).click()
  await page.getByText('live', { exact: true }).or(page.getByText('An agent that asks')).first().waitFor()
  return page
}

const say = (page: Page, word: string) => page.getByRole('button', { name: word, exact: true }).click()
const sessionOf = (page: Page) => new URL(page.url()).searchParams.get('session') ?? ''
const line = (page: Page, text: string) => page.getByText(text, { exact: true })

/** A click as a person makes it: approving is armed a moment after the card stands still. */
async function press(page: Page, name: string): Promise<void> {
  const button = page.getByRole('button', { name, exact: true })
  await button.waitFor()
  await page.waitForTimeout(700)
  await button.click()
}

test('an approval in a second tab is shown in both, and the agent continues once', async () => {
  const context = await device()
  const first = await signIn(context, 'Ada')
  await say(first, 'delete')
  const second = await context.newPage()
  await second.goto(first.url())
  await press(second, 'Delete 3 files')
  for (const page of [first, second]) {
    await line(page, 'Done: 3 files deleted.').waitFor()
    expect(await line(page, 'Done: 3 files deleted.').count()).toBe(1)
  }
  expect(await first.getByRole('button', { name: 'Delete 3 files', exact: true }).count()).toBe(0)
}, 60_000)

test('an answer counts once if the server was killed and restarted while the question was open', async () => {
  const page = await signIn(await device(), 'Ada')
  await say(page, 'delete')
  await page.getByRole('button', { name: 'Delete 3 files', exact: true }).waitFor()
  await server.kill()
  await server.start()
  await page.getByText('live', { exact: true }).waitFor({ timeout: 40_000 })
  await press(page, 'Delete 3 files')
  await line(page, 'Done: 3 files deleted.').waitFor({ timeout: 40_000 })
  await page.reload()
  await line(page, 'Done: 3 files deleted.').waitFor()
  expect(await line(page, 'Done: 3 files deleted.').count()).toBe(1)
}, 120_000)

test('another user cannot see the session', async () => {
  const ada = await signIn(await device(), 'Ada')
  await say(ada, 'survey')
  await ada
    .getByRole('group', { name: /Three questions/ })
    .or(ada.getByText('How was it?'))
    .first()
    .waitFor()
  const other = await device()
  const grace = await signIn(other, 'Grace', sessionOf(ada))
  await say(grace, 'delete')
  await grace.getByText('There is no such chat.').waitFor()
  expect(await grace.getByText('How was it?').count()).toBe(0)
  const answer = await other.request.get(`${server.url}/holdpoint/sessions/${sessionOf(ada)}`)
  expect([answer.status(), await answer.json()]).toMatchObject([200, { cursor: '0.0.0', runs: [], interactions: [] }])
}, 60_000)

test('an invalid address is asked again on the same card, and the input is kept', async () => {
  const page = await signIn(await device({ width: 390, height: 844 }), 'Ada')
  await say(page, 'email')
  await page.getByLabel('E-mail address').fill('ada@elsewhere.org')
  await press(page, 'Send it')
  await page.getByText('Only addresses at example.com can be written to.').first().waitFor()
  expect(await page.getByLabel('E-mail address').inputValue()).toBe('ada@elsewhere.org')
  await page.getByLabel('E-mail address').fill('ada@example.com')
  await press(page, 'Send it')
  await line(page, 'Sent to ada@example.com.').waitFor()
}, 60_000)

test('a user who writes something else supersedes the open question, and line and card agree', async () => {
  const page = await signIn(await device(), 'Ada')
  await say(page, 'delete')
  await page.getByRole('button', { name: 'Delete 3 files', exact: true }).waitFor()
  await say(page, 'survey')
  await page.getByText('You continued without answering. Nothing was done.').first().waitFor()
  await page.getByText('not done', { exact: true }).waitFor()
  expect(await page.getByRole('button', { name: 'Delete 3 files', exact: true }).count()).toBe(0)
  expect(await page.getByText(/^Done:/).count()).toBe(0)
}, 60_000)

test.each([0, 30, 200])(
  'the second of two messages %i ms apart is the only one that asks',
  async (ms) => {
    const page = await signIn(await device(), 'Ada')
    await say(page, 'delete')
    await page.waitForTimeout(ms)
    await say(page, 'survey')
    await page.getByText('How was it?').first().waitFor()
    await page.waitForTimeout(1_000)
    expect(await page.getByRole('button', { name: 'Delete 3 files', exact: true }).count()).toBe(0)
    expect(await page.locator('.bubble.user').allTextContents()).toEqual(['delete', 'survey'])
  },
  60_000,
)

test('messages written while offline survive a reload, are sent in order by themselves, and are answered once', async () => {
  const context = await device()
  const page = await signIn(context, 'Ada')
  const unsent = page.getByText('Not sent yet. It is sent when the connection is back.')
  let isDown = true
  // A route that stays: Chromium loses requests that begin while Playwright removes one.
  await page.route('**/api/chat', (route) => (isDown ? route.abort() : route.continue()))
  await page.getByLabel('Message').fill('good morning')
  await page.keyboard.press('Enter')
  await unsent.waitFor()
  await say(page, 'delete')
  await expect.poll(() => unsent.count()).toBe(2)
  await page.reload()
  await expect.poll(() => unsent.count()).toBe(2)
  isDown = false
  await page.getByRole('button', { name: 'Delete 3 files', exact: true }).waitFor()
  expect(await unsent.count()).toBe(0)
  expect(await page.locator('.bubble.user').allTextContents()).toEqual(['good morning', 'delete'])
  expect(await page.getByText('I am a scripted agent.').count()).toBe(1)
  expect(await page.getByRole('alert').count()).toBe(0)
}, 60_000)

test('a message whose response was lost starts one turn', async () => {
  const page = await signIn(await device(), 'Ada')
  let lost = 0
  await page.route('**/api/chat', async (route) => {
    if (lost++ > 0) return route.continue()
    await route.fetch()
    await route.abort()
  })
  await say(page, 'delete')
  await page.getByRole('button', { name: 'Delete 3 files', exact: true }).waitFor()
  await expect.poll(() => lost, { timeout: 20_000 }).toBe(2)
  await page.waitForTimeout(1_000)
  expect(await page.locator('.bubble.user').count()).toBe(1)
  expect(await page.getByRole('button', { name: 'Delete 3 files', exact: true }).count()).toBe(1)
}, 60_000)

test('Slack is connected in a popup, and the same call continues', async () => {
  const context = await device()
  const page = await signIn(context, 'Ada')
  await say(page, 'slack')
  const connect = page.getByRole('button', { name: /^Connect Slack/ })
  await connect.waitFor()
  const [popup] = await Promise.all([context.waitForEvent('page'), connect.click()])
  await popup.getByRole('button', { name: 'Allow' }).click()
  await line(page, 'Posted to #general.').waitFor()
}, 60_000)

test('a follow-up starts a new turn over WebSocket', async () => {
  const page = await signIn(await device(), 'Ada')
  await page.getByLabel('Transport').selectOption('websocket')
  await page.getByText('live', { exact: true }).or(page.getByText('An agent that asks')).first().waitFor()
  await say(page, 'later')
  await line(page, 'I continue with the rest. Answer whenever you like.').waitFor()
  await page.getByRole('textbox', { name: 'Color' }).fill('teal')
  await page
    .getByRole('group')
    .getByRole('button', { name: /send|submit/i })
    .first()
    .click()
  await line(page, 'The launch page will be teal.').waitFor()
}, 60_000)

test('a remote agent streams directly to the page, and the back end stores its report', async () => {
  const context = await device()
  const page = await signIn(context, 'Ada')
  await page.goto(`${server.url}/?remote`)
  const streams: string[] = []
  page.on('request', (request) => request.url().includes('/stream/') && streams.push(new URL(request.url()).host))
  await page.getByLabel('Message').fill('holdpoints')
  await page.keyboard.press('Enter')
  const kept = page.getByText('by the back end: 3 messages, and calls of search')
  await kept.waitFor()
  await line(page, 'I look that up. Three notes mention “holdpoints”. The latest is from yesterday.').waitFor()
  expect(streams.length).toBeGreaterThan(0)
  expect(streams).not.toContain(new URL(server.url).host)
  await page.reload()
  await kept.waitFor()
  const grace = await signIn(await device(), 'Grace')
  const id = new URL(page.url()).searchParams.get('remote')
  expect((await grace.request.get(`${server.url}/remote/messages/${id}`)).status()).toBe(404)
}, 60_000)
