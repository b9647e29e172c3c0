import type { HoldpointClient } from '@holdpoint/core'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest'
import { launchChromium } from '../../../../scripts/chromium.ts'
import { buildPage, startApp, type TabsApp } from './app.ts'

/** What the page of `app.ts` keeps in its window. */
export interface PageWindow {
  show(id: string | null): void
  client: HoldpointClient
  seen: { session: string; cursor: string; event: { text?: string }; at: number }[]
}

/** A person's browser in front of an application: tabs that fail their test by anything red in a console. */
export interface Visit {
  app: TabsApp
  context: BrowserContext
  open(query: string): Promise<Page>
}

/** Starts one Chromium for the tests of a file. Returns a function that visits a new application. */
export function useBrowser(): () => Promise<Visit> {
  let browser: Browser
  let files: Map<string, string>
  beforeAll(async () => {
    files = await buildPage()
    browser = await launchChromium()
  })
  afterAll(() => browser?.close())

  return async () => {
    const app = await startApp(files)
    onTestFinished(() => app.close())
    const context = await browser.newContext()
    context.setDefaultTimeout(10_000)
    const red: string[] = []
    context.on('console', (message) => void (message.type() === 'error' && red.push(message.text())))
    context.on('weberror', (error) => void red.push(String(error.error())))
    onTestFinished(async () => {
      await context.close()
      expect(red).toEqual([])
    })
    return {
      app,
      context,
      async open(query) {
        const page = await context.newPage()
        await page.goto(`${app.url}/?${query}`)
        return page
      },
    }
  }
}
