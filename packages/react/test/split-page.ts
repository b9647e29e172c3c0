import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { build } from 'esbuild'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, onTestFinished } from 'vitest'
import { launchChromium } from '../../../scripts/chromium.ts'
import { SOURCE } from '../../../scripts/published.ts'
import { stylesheet } from './page.ts'

/** The files of an app as a bundler makes them: an entry, its chunks, and the style sheet. */
async function splitFiles(app: string): Promise<ReadonlyMap<string, string>> {
  const { outputFiles } = await build({
    stdin: { contents: app, resolveDir: join(import.meta.dirname, '../src'), loader: 'tsx', sourcefile: 'app.tsx' },
    bundle: true,
    splitting: true,
    format: 'esm',
    write: false,
    outdir: '/',
    entryNames: 'app',
    jsx: 'automatic',
    conditions: [SOURCE],
    define: { 'process.env.NODE_ENV': '"development"' },
    logLevel: 'silent',
  })
  return new Map([...outputFiles.map(({ path, text }) => [path, text] as const), ['/app.css', stylesheet()]])
}

/** A policy that allows scripts of the page's own origin, and nothing inline. */
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:"

interface Visit {
  page: Page
  /** Errors of the page, and what its policy has refused. */
  complaints: string[]
  close(): Promise<void>
}

/** Opens a page with these files. While `net.blocked`, no chunk can be loaded. */
async function visitSplit(
  browser: Browser,
  files: ReadonlyMap<string, string>,
  net: { blocked: boolean },
  { hash = '', offline = false } = {},
): Promise<Visit> {
  const server = createServer(({ url = '/' }, response) => {
    const script = files.get(url)
    if (script && net.blocked && !/^\/(app|chunk)\b/.test(url)) return void response.destroy()
    const [type, body] = script
      ? [url.endsWith('.css') ? 'text/css' : 'text/javascript', script]
      : [
          'text/html',
          '<!doctype html><link rel="stylesheet" href="/app.css"><div id="root"></div><script type="module" src="/app.js"></script>',
        ]
    response.writeHead(200, { 'content-type': type, 'content-security-policy': policy }).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const context = await browser.newContext()
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('console', (message) => message.text().includes('Content Security') && complaints.push(message.text()))
  // Before the page is idle, so that nothing has been loaded ahead.
  if (offline) await page.addInitScript('window.requestIdleCallback = () => 0')
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/#${hash}`)
  if (offline) await context.setOffline(true)
  return {
    page,
    complaints,
    async close() {
      await context.close()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Builds an app for the tests of a file. Returns a function that visits it and closes the visit with its test. */
export function visitsOf(app: string, ownHash = '') {
  let browser: Browser
  let files: ReadonlyMap<string, string>
  beforeAll(async () => {
    browser = await launchChromium()
    files = await splitFiles(app)
  })
  afterAll(() => browser.close())
  return async (net: { blocked: boolean }, hash = ownHash, offline = false): Promise<Visit> => {
    const visit = await visitSplit(browser, files, net, { hash, offline })
    onTestFinished(visit.close)
    return visit
  }
}

/** The names of all files that the page has loaded. */
export const loadedFiles = 'performance.getEntriesByType("resource").map(({ name }) => name).join(" ")'
