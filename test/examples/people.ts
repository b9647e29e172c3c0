import { mkdirSync } from 'node:fs'
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core'
import { launchChromium } from '../../scripts/chromium.ts'

/** Screenshots of the tests, for people. */
const SHOTS = 'test/screenshots'

export const PHONE = { width: 390, height: 844 }

/** People at devices of their own, in a real Chromium. */
export async function openBrowser(url: () => string) {
  const browser: Browser = await launchChromium()
  const contexts: BrowserContext[] = []

  async function device(
    options: { viewport?: { width: number; height: number }; dark?: boolean; javaScript?: boolean } = {},
  ) {
    const context = await browser.newContext({
      viewport: options.viewport ?? { width: 1200, height: 900 },
      colorScheme: options.dark ? 'dark' : 'light',
      javaScriptEnabled: options.javaScript ?? true,
    })
    context.setDefaultTimeout(40_000)
    contexts.push(context)
    return context
  }

  return {
    device,
    /** Signs in by clicking, and lands in a new chat, or at `path`. */
    async signIn(context: BrowserContext, name: 'Ada' | 'Grace', path = '/'): Promise<Page> {
      const page = await context.newPage()
      await page.goto(`${url()}/login?next=${encodeURIComponent(path)}`)
      await page.getByRole('button', { name: new RegExp(name) }).click()
      await page.waitForURL((now) => now.pathname !== '/login')
      return page
    },
    async leaveAll(): Promise<void> {
      for (const context of contexts.splice(0)) await context.close()
    },
    close: () => browser.close(),
  }
}

/** A click as a person makes it. A button that approves counts a moment after its card stands still. */
export async function press(where: Page | Locator, name: string): Promise<void> {
  const button = where.getByRole('button', { name, exact: true })
  await button.waitFor()
  const page = 'page' in where ? where.page() : where
  await page.waitForFunction(
    (label) =>
      [...document.querySelectorAll('button')].some(
        (one) =>
          (one.querySelector('bdi') ?? one).textContent?.trim() === label &&
          one.getAttribute('aria-disabled') !== 'true' &&
          one.dataset.armed !== 'false' &&
          !one.disabled,
      ),
    name,
  )
  await button.click()
}

export const card = (page: Page) => page.locator('[data-slot="card"]').last()

export async function say(page: Page, text: string): Promise<void> {
  await page.getByLabel('Message', { exact: true }).fill(text)
  await page.keyboard.press('Enter')
}

export const line = (page: Page, text: string) => page.getByText(text, { exact: true })

/** Once, and it stays so: what comes twice comes soon after. */
export async function once(page: Page, text: string): Promise<number> {
  await line(page, text).first().waitFor()
  await page.waitForTimeout(500)
  return await line(page, text).count()
}

export async function picture(page: Page, name: string): Promise<void> {
  mkdirSync(SHOTS, { recursive: true })
  await page.screenshot({ path: `${SHOTS}/${name}.png` })
}

/** Chromium without a window hides no tab, so this page reports what a hidden one reports, until it is `back`. */
export const look = (page: Page, state: 'away' | 'back') =>
  page.evaluate((isHidden) => {
    for (const name of ['visibilityState', 'hidden']) Reflect.deleteProperty(document, name)
    if (isHidden) {
      Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => 'hidden' })
      Object.defineProperty(document, 'hidden', { configurable: true, get: () => true })
    }
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
  }, state === 'away')
