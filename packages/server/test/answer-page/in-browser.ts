import { answerPage } from '@holdpoint/server/answer-page'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { launchChromium } from '../../../../scripts/chromium.ts'
import { startApp, type TabsApp } from '../tabs/app.ts'

/** A browser, and an app with answer pages into which a cookie signs Ada in. */
interface InBrowser {
  browser: Browser
  app: TabsApp
  pages: ReturnType<typeof answerPage>
}

/** Starts the browser and the app for the tests of a file. `files` are those of the app's own page. */
export function startInBrowser(
  files: () => Promise<Parameters<typeof startApp>[0]> = async () => new Map(),
): InBrowser {
  const world = {} as InBrowser
  beforeAll(async () => {
    world.browser = await launchChromium()
    world.app = await startApp(await files(), {
      authenticate: (request) => (/user=ada/.test(request.headers.get('cookie') ?? '') ? { userId: 'ada' } : null),
    })
    world.pages = answerPage(world.app.holdpoint, { url: `${world.app.url}/holdpoint` })
  }, 120_000)
  afterAll(async () => {
    await world.browser?.close()
    await world.app?.close()
  })
  return world
}
