import type { Browser, BrowserContext, Locator, Page, Request } from 'playwright-core'
import { expect } from 'vitest'

/** A person with a browser of their own, and what a developer would see of their pages. */
export interface Visitor {
  readonly context: BrowserContext
  /** A new tab. */
  open(path?: string): Promise<Tab>
  /** Fails for red console lines, failed requests, and more than two open connections. */
  expectHealthy(): Promise<void>
  /** Failures are part of the step: the network is gone, or the server is down. Forgets them afterwards. */
  expectFailures<T>(step: () => Promise<T>): Promise<T>
  close(): Promise<void>
}

/** One tab, with the words of its cards. */
export interface Tab {
  readonly page: Page
  card(tool: string): Locator
  /** Clicks once the button takes clicks: cards ignore them for the first moments. */
  press(button: Locator): Promise<void>
  switchTo(chat: string): Promise<void>
  /** Everything that a screen reader was given so far. */
  announced(): Promise<string[]>
  /** True if the focus is on something, and not lost to the page's body. */
  hasFocus(): Promise<boolean>
}

const CONNECTIONS = 2

export async function visit(browser: Browser, origin: string, user = 'ada'): Promise<Visitor> {
  const context = await browser.newContext({ locale: 'en-US', timezoneId: 'UTC' })
  context.setDefaultTimeout(10_000)
  await context.addInitScript(recordAnnouncements)
  const problems: string[] = []
  const inFlight = new Set<Request>()
  context.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') problems.push(`console: ${message.text()}`)
  })
  context.on('weberror', (error) => problems.push(`uncaught: ${error.error().message}`))
  context.on('request', (request) => inFlight.add(request))
  context.on('requestfinished', (request) => inFlight.delete(request))
  context.on('requestfailed', (request) => {
    inFlight.delete(request)
    const why = request.failure()?.errorText ?? ''
    // A page that leaves, or a stream that its client ends, aborts its own request.
    if (why !== 'net::ERR_ABORTED') problems.push(`network: ${request.method()} ${request.url()} ${why}`)
  })
  context.on('response', (response) => {
    if (response.status() >= 400) problems.push(`network: ${response.status()} ${response.url()}`)
  })
  await context.addCookies([{ name: 'user', value: user, url: origin }])

  return {
    context,
    async open(path = '/') {
      const page = await context.newPage()
      await page.goto(origin + path)
      return tabOf(page)
    },
    async expectHealthy() {
      expect(problems).toEqual([])
      await expect
        .poll(() => [...inFlight].map((request) => request.url()).slice(CONNECTIONS), { timeout: 4_000 })
        .toEqual([])
    },
    async expectFailures(step) {
      const result = await step()
      problems.length = 0
      return result
    },
    close: () => context.close(),
  }
}

function tabOf(page: Page): Tab {
  const card = (tool: string) =>
    page.locator('section', { has: page.getByRole('heading', { name: tool, exact: true }) })
  return {
    page,
    card,
    async press(button) {
      // A button below the fold does not arm: nobody has seen it.
      await button.scrollIntoViewIfNeeded()
      await button.and(page.locator(':not([aria-disabled="true"], [data-armed="false"])')).click({ timeout: 10_000 })
    },
    async switchTo(chat) {
      await page.getByRole('button', { name: chat, exact: true }).click()
      await page.getByRole('heading', { name: chat, exact: true }).waitFor()
    },
    announced: () => page.evaluate(() => (window as unknown as { announced: string[] }).announced),
    hasFocus: () => page.evaluate(() => document.activeElement !== document.body),
  }
}

/** Runs in the page, before its own scripts: keeps what live regions said. */
function recordAnnouncements(): void {
  const announced: string[] = []
  Object.assign(window, { announced })
  new MutationObserver((records) => {
    for (const { target } of records) {
      const element = target instanceof Element ? target : target.parentElement
      const region = element?.closest('[aria-live="polite"], [aria-live="assertive"], [role="status"], [role="alert"]')
      const text = region?.textContent?.trim()
      if (text && announced.at(-1) !== text) announced.push(text)
    }
  }).observe(document, { subtree: true, childList: true, characterData: true })
}
