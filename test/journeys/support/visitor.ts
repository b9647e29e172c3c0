import type { BrowserContext, Locator, Page } from 'playwright-core'
import { expectHealthy, hasFocus, type Watched } from './health.ts'
import type { World } from './journey.ts'
import type { Approval, Deployment } from './servers.ts'

/** A person with a browser of their own, and what a developer would see of their pages. */
export interface Visitor {
  readonly context: BrowserContext
  /** A new tab. */
  open(path?: string): Promise<Tab>
  /**
   * Fails for red console lines, failed requests, more than two open connections, a focus that is lost, a question that
   * was not announced, and a difference between what was shown, what ran and what the log has.
   */
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
  /** Waits until the page reaches its server. */
  seesServer(): Promise<void>
  /** Everything that a screen reader was given so far. */
  announced(): Promise<string[]>
  /** True if the focus is on something, and not lost to the page's body. */
  hasFocus(): Promise<boolean>
}

const REARM_MS = 700
/** The soak beside this test adds network devices to the machine, and Chromium then ends the requests under way. */
const MACHINE = 'net::ERR_NETWORK_CHANGED'

export async function visit({ browser, deployment }: World, origin: string, user = 'ada'): Promise<Visitor> {
  const context = await browser.newContext({ locale: 'en-US', timezoneId: 'UTC' })
  context.setDefaultTimeout(10_000)
  deployment.visitors.add(context)
  await context.addInitScript(recordAnnouncements)
  const problems: string[] = []
  const report = (problem: string) => {
    if (!problem.endsWith(MACHINE)) problems.push(problem)
  }
  const pages = new Set<Watched>()
  context.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') report(`console: ${message.text()}`)
  })
  context.on('weberror', (error) => problems.push(`uncaught: ${error.error().message}`))
  context.on('requestfailed', (request) => {
    const why = request.failure()?.errorText ?? ''
    // A page that leaves, or a stream that its client ends, aborts its own request.
    if (why !== 'net::ERR_ABORTED') report(`network: ${request.method()} ${request.url()} ${why}`)
  })
  context.on('response', (response) => {
    if (response.status() >= 400) problems.push(`network: ${response.status()} ${response.url()}`)
  })
  await context.addCookies([{ name: 'user', value: user, url: origin }])

  return {
    context,
    async open(path = '/') {
      const page = await context.newPage()
      const watched: Watched = { page, pressed: false }
      pages.add(watched)
      page.once('close', () => pages.delete(watched))
      page.on('load', () => {
        watched.pressed = false
      })
      await page.goto(origin + path)
      return tabOf(watched, deployment)
    },
    expectHealthy: () => expectHealthy(problems, [...pages], deployment),
    async expectFailures(step) {
      const result = await step()
      problems.length = 0
      return result
    },
    async close() {
      deployment.visitors.delete(context)
      await context.close()
    },
  }
}

function tabOf(watched: Watched, { shown }: Deployment): Tab {
  const { page } = watched
  const card = (tool: string) =>
    page.locator('section', { has: page.getByRole('heading', { name: tool, exact: true }) })
  return {
    page,
    card,
    async press(button) {
      // A button below the fold is not armed, because it was not in view.
      await button.scrollIntoViewIfNeeded()
      const ready = button.and(page.locator(':not([aria-disabled="true"], [data-armed="false"])'))
      const approval = await approvalBehind(button)
      if (approval) shown.push(approval)
      watched.pressed = true
      await ready.click({ timeout: 10_000 })
    },
    async switchTo(chat) {
      await page.getByRole('button', { name: chat, exact: true }).click()
      await page.getByRole('heading', { name: chat, exact: true }).waitFor()
    },
    async seesServer() {
      await page.waitForFunction(() =>
        fetch('/').then(
          ({ ok }) => ok,
          () => false,
        ),
      )
    },
    announced: () => page.evaluate(() => (window as unknown as { announced: string[] }).announced),
    hasFocus: () => hasFocus(page),
  }
}

/** The tool and the arguments of a card, if this is its approve button. */
async function approvalBehind(button: Locator): Promise<Approval | null> {
  await button.waitFor()
  if ((await button.getAttribute('data-slot')) !== 'approve') return null
  // Rows and fields are for people. Behind this button are the arguments as they will run.
  const card = button.locator('xpath=ancestor::*[@data-slot="card"]')
  const exact = card.locator('[data-slot="exact"], [data-slot="edit-as"]').first()
  if ((await exact.count()) === 0) return await button.evaluate(approvalShown)
  await exact.click()
  await card.locator('[data-slot="arguments"] :is(pre, textarea)').first().waitFor()
  const approval = await button.evaluate(approvalShown)
  await exact.click()
  // The press moved the approve button, which therefore ignores clicks for half a second.
  await button.page().waitForTimeout(REARM_MS)
  return approval
}

/** Runs in the page: the tool and the arguments of a card whose approve button this is. */
function approvalShown(button: Element): Approval | null {
  if (button.getAttribute('data-slot') !== 'approve') return null
  const args = button.closest('[data-slot="card"]')?.querySelector('[data-slot="arguments"]')
  const text = args?.querySelector('textarea')?.value ?? args?.querySelector('pre')?.textContent
  const tool = button.closest('section:has(> h3)')?.querySelector('h3')?.textContent ?? ''
  return { tool, args: text ? JSON.parse(text) : undefined }
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
