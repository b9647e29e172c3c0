import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { launchChromium } from '../../../../../scripts/chromium.ts'
import { type App, startApp } from './app.ts'

/** The windows of a flow in a real browser: our card, our broker in its own process, and a real provider. */
vi.setConfig({ testTimeout: 90_000, hookTimeout: 90_000 })

let app: App
let browser: Browser
let ada: BrowserContext
let count = 0
let session: string
const contexts: BrowserContext[] = []

beforeAll(async () => {
  app = await startApp()
  browser = await launchChromium()
})
afterAll(async () => {
  await browser?.close()
  await app?.close()
})
beforeEach(async () => {
  // A user without any connected account.
  session = `chat${++count}`
  ada = await personOf(`ada${count}`)
})
afterEach(async () => {
  for (const name of Object.keys(app.oauth.headers)) delete app.oauth.headers[name]
  for (const context of contexts.splice(0)) await context.close()
})

async function personOf(user: string): Promise<BrowserContext> {
  const context = await browser.newContext()
  context.setDefaultTimeout(30_000)
  await context.addCookies([{ name: 'user', value: user, url: app.origin }])
  contexts.push(context)
  return context
}

/** The page of the session, with a card that asks for Slack. */
async function openPage(query = ''): Promise<Page> {
  await app.begin(session, `ada${count}`)
  const page = await ada.newPage()
  await page.goto(`${app.origin}/${session}${query}`)
  await button(page).waitFor()
  return page
}
const button = (page: Page) => page.getByRole('button', { name: /Slack/ }).first()
const status = (page: Page) => page.locator('[data-integration="slack"]').getAttribute('data-status')
const posted = () => app.oauth.messages.length

async function clickConnect(page: Page): Promise<Page> {
  const [popup] = await Promise.all([ada.waitForEvent('page'), button(page).click()])
  await popup.getByRole('button', { name: 'Allow' }).waitFor()
  return popup
}
const allow = (page: Page) => page.getByRole('button', { name: 'Allow' }).click()

/** Connected in the card, and the very call that waited has posted, once. */
async function seesItDone(page: Page, before: number): Promise<void> {
  await expect.poll(() => status(page), { timeout: 40_000 }).toBe('connected')
  await expect.poll(posted, { timeout: 40_000 }).toBe(before + 1)
}

describe('connecting in a popup', () => {
  test('closes the window, updates the card, and continues the same call', async () => {
    const before = posted()
    const page = await openPage()
    const popup = await clickConnect(page)
    await Promise.all([popup.waitForEvent('close'), allow(popup)])
    await seesItDone(page, before)
    expect(page.url()).toBe(`${app.origin}/${session}`)
  })

  test('the card checks the account after the user closed the popup, keeps waiting, and offers to open it again', async () => {
    const before = posted()
    const page = await openPage()
    const popup = await clickConnect(page)
    const looked = page.waitForRequest(/\/messages$/)
    await popup.close()
    await looked
    const again = page.locator('[data-slot="open-again"]')
    const [second] = await Promise.all([ada.waitForEvent('page'), again.click()])
    expect(posted()).toBe(before)
    await allow(second)
    await seesItDone(page, before)
  })

  test('the card shows a link to the service if a popup blocker blocks the window', async () => {
    const before = posted()
    const page = await openPage()
    // The result of a pop-up blocker for a page that asks for a window. A blocker does not block a clicked link.
    await page.evaluate(() => {
      window.open = () => null
    })
    await button(page).click()
    await expect.poll(() => status(page), { timeout: 30_000 }).toBe('blocked')
    // On the card; the live region says it too.
    expect(await page.locator('[data-slot="card"]').getByText('Use the link.').count()).toBe(1)
    const link = page.locator('[data-slot="connect-link"]')
    expect(await link.textContent()).toContain('Continue to localhost')
    const [tab] = await Promise.all([ada.waitForEvent('page'), link.click()])
    expect(posted()).toBe(before)
    await allow(tab)
    await seesItDone(page, before)
  })

  test('the card’s link leaves the page if a sandbox forbids every window', async () => {
    const before = posted()
    await app.begin(session, `ada${count}`)
    const page = await ada.newPage()
    await page.route(`${app.origin}/${session}`, async (route) => {
      const response = await route.fetch()
      const policy = 'sandbox allow-scripts allow-same-origin allow-forms'
      await route.fulfill({ response, headers: { ...response.headers(), 'content-security-policy': policy } })
    })
    await page.goto(`${app.origin}/${session}`)
    await button(page).click()
    await expect.poll(() => status(page), { timeout: 30_000 }).toBe('blocked')
    await page.goto((await page.locator('[data-slot="connect-link"]').getAttribute('href')) ?? '')
    await allow(page)
    await page.waitForURL((url) => url.pathname === `/${session}`)
    await seesItDone(page, before)
  })

  test('connecting succeeds if the provider’s page cuts the opener with COOP same-origin, so that the popup only seems closed', async () => {
    app.oauth.headers['cross-origin-opener-policy'] = 'same-origin'
    const before = posted()
    const page = await openPage()
    const looked = page.waitForRequest(/\/messages$/)
    const popup = await clickConnect(page)
    // To the page the window is gone, though the person is in it.
    await looked
    expect(['waiting', 'checking']).toContain(await status(page))
    await allow(popup)
    await seesItDone(page, before)
  })

  test('the card reports a denial at the provider, offers another attempt, and nothing is connected', async () => {
    const before = posted()
    const page = await openPage()
    const popup = await clickConnect(page)
    await popup.getByRole('button', { name: 'Deny' }).click()
    await expect.poll(() => status(page), { timeout: 30_000 }).toBe('denied')
    expect(posted()).toBe(before)
    await allow(await clickConnect(page))
    await seesItDone(page, before)
  })
})

describe('connecting by a redirect of the page', () => {
  test('a return to a page without state finds its run and leaves no parameters in the address', async () => {
    const before = posted()
    const page = await openPage('?redirect')
    await button(page).click()
    await page.locator('[data-slot="connect-link"]').click()
    await allow(page)
    await page.waitForURL((url) => url.origin === app.origin && url.pathname === `/${session}`)
    await seesItDone(page, before)
    await expect.poll(() => page.url()).toBe(`${app.origin}/${session}?redirect=`)
  })

  test('a return in another tab is shown in both tabs', async () => {
    const before = posted()
    const page = await openPage()
    const popup = await clickConnect(page)
    const address = popup.url()
    await popup.close()
    const other = await ada.newPage()
    await other.goto(address)
    await allow(other)
    await other.waitForURL((url) => url.pathname === `/${session}`)
    await seesItDone(page, before)
    await expect.poll(() => status(other), { timeout: 30_000 }).toBe('connected')
    expect(other.url()).not.toMatch(/auth_|generation_id|flow_id/)
  })
})

test('a return after the server was killed with kill -9 connects the account, and the call continues once in the new process', async () => {
  const before = posted()
  const page = await openPage()
  const popup = await clickConnect(page)
  await app.restart()
  await allow(popup)
  await seesItDone(page, before)
  await page.reload()
  await expect.poll(() => status(page), { timeout: 30_000 }).toBe('connected')
  expect(posted()).toBe(before + 1)
})

describe('threat 5: a user other than the one who started the flow finishes it', () => {
  const isRefused = async (page: Page) => {
    await page.getByRole('heading', { name: 'Not connected' }).waitFor()
    expect(await page.getByText('Nothing was connected').count()).toBe(1)
  }

  test('threat 5: another user who opens Ada’s link is rejected before the provider is asked', async () => {
    const before = posted()
    const page = await openPage()
    const answered = page.waitForResponse(/\/connect$/)
    await clickConnect(page)
    const { url } = (await (await answered).json()) as { url: string }
    const grace = await (await personOf('grace')).newPage()
    expect((await grace.goto(url))?.status()).toBe(403)
    await isRefused(grace)
    expect([posted(), await status(page)]).toEqual([before, 'waiting'])
  })

  test('threat 5: another user who agrees on the provider’s page that Ada opened is rejected, and Ada can start again', async () => {
    const before = posted()
    const visited: string[] = []
    ada.on('request', (request) => visited.push(request.url()))
    const page = await openPage()
    const popup = await clickConnect(page)
    const grace = await personOf('grace')
    const hers = await grace.newPage()
    await hers.goto(visited.find((url) => url.startsWith(`${app.oauth.url}/auth?`)) ?? '')
    await allow(hers)
    await isRefused(hers)
    expect([posted(), await status(page)]).toEqual([before, 'waiting'])
    const answer = await grace.request.get(`${app.origin}/holdpoint/sessions/${session}`)
    // Another user's session looks like one that does not exist yet: empty.
    expect(await answer.json()).toMatchObject({ runs: [], interactions: [] })

    // The flow that she finished has ended for Ada too, without a result.
    await allow(popup)
    await popup.getByText('Nothing was connected').or(popup.getByText('cannot be used')).first().waitFor()
    await popup.close()
    const [anew] = await Promise.all([ada.waitForEvent('page'), page.locator('[data-slot="open-again"]').click()])
    await allow(anew)
    await seesItDone(page, before)
  })
})
