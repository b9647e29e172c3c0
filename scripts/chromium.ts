import { existsSync } from 'node:fs'
import sparticuz from '@sparticuz/chromium'
import { type Browser, chromium } from 'playwright-core'

/** The path of a real Chromium: `CHROMIUM_PATH`, an installed Playwright browser, or the one inside an npm package. */
export async function chromiumPath(): Promise<string> {
  if (process.env.CHROMIUM_PATH) return process.env.CHROMIUM_PATH
  const installed = chromium.executablePath()
  return existsSync(installed) ? installed : sparticuz.executablePath()
}

/** Starts a Chromium without a window, as all tests and measurements use it. */
export async function launchChromium(): Promise<Browser> {
  return await chromium.launch({ executablePath: await chromiumPath(), args: ['--no-sandbox', '--disable-gpu'] })
}
