import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, onTestFinished, vi } from 'vitest'
import { launchChromium } from '../../../../../scripts/chromium.ts'
import { type ChatApp, chatServer, startChatApp } from './chat-app.ts'
import { chatPage } from './page.ts'

export const modes = ['suspend', 'inline'] as const
export const api = (mode: string) => `api=${encodeURIComponent(`/api/chat?mode=${mode}`)}`

/** One browser and one built page for all tests of a file. */
export function inChromium() {
  // A process, a browser and several tabs in one test: a limit is for what hangs.
  vi.setConfig({ testTimeout: 90_000, hookTimeout: 90_000 })
  let browser: Browser
  let html: string
  let server: string
  beforeAll(async () => {
    ;[html, server] = await Promise.all([chatPage(), chatServer()])
    browser = await launchChromium()
  })
  afterAll(() => browser.close())
  return {
    app: () => startChatApp(server, html),
    /** A tab, in a profile of its own unless it is given one. */
    async tab({ url }: ChatApp, query = '', beside?: Page): Promise<Page> {
      const context = beside?.context() ?? (await browser.newContext())
      if (!beside) onTestFinished(() => context.close())
      const page = await context.newPage()
      page.setDefaultTimeout(40_000)
      await page.goto(`${url}/?${query}`)
      await page.getByLabel('Message').waitFor()
      return page
    },
  }
}

export async function say(page: Page, text: string): Promise<void> {
  await page.getByLabel('Message').fill(text)
  await page.getByLabel('Message').press('Enter')
}

export const slot = (page: Page, name: string) => page.locator(`[data-slot="${name}"]`)

/**
 * A yes counts once its button stood in one place long enough to be meant. It may have moved just now: a card that has
 * its connection again is a line shorter. Then it asks for another press, and a person gives it.
 */
export async function approve(page: Page): Promise<void> {
  const armed = page.locator('[data-slot="approve"][data-armed="true"]')
  const id = await page.locator('[data-slot="card"]', { has: armed }).first().getAttribute('data-interaction-id')
  const card = `[data-interaction-id="${id}"]`
  const told = `(() => {
    const card = document.querySelector('${card}')
    if (card?.querySelector('[data-slot="hint"]')) return 'again'
    return ['pending', 'reprompted', 'disconnected'].includes(card?.dataset.state) ? undefined : 'taken'
  })()`
  for (let said = 'again'; said === 'again'; ) {
    await page.locator(card).locator(armed).click()
    const heard = await page.waitForFunction(told).catch(() => {
      throw new Error('The press of Approve had no effect, and the card says nothing of it.')
    })
    said = String(await heard.jsonValue())
  }
}

/** Waits until the assistant's latest words hold these. */
export const read = (page: Page, text: string) =>
  page.locator('article[data-role="assistant"] p').last().filter({ hasText: text }).waitFor()

/** The chat has come to rest, and a moment for what must not happen. */
export async function rest(page: Page, status: 'ready' | 'error' = 'ready'): Promise<void> {
  await page.locator(`main[data-status="${status}"]`).waitFor()
  await page.waitForTimeout(300)
}

/** Waits until the tools have done this and nothing else; says what page and log look like when they have not. */
export async function done(app: ChatApp, page: Page, effects: string[]): Promise<void> {
  const same = () => JSON.stringify(app.notes().effects) === JSON.stringify(effects)
  for (let tries = 0; tries < 400 && !same(); tries++) await page.waitForTimeout(100)
  if (same()) return
  const shown = await page.locator('main').textContent()
  const log = await fetch(`${app.url}/holdpoint/sessions/chat/events?wait=0`, {
    headers: { accept: 'application/json' },
  })
  throw new Error(`The tools did ${JSON.stringify(app.notes().effects)}.\nPage: ${shown}\nLog: ${await log.text()}`)
}
