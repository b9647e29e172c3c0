import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '@holdpoint/conformance/free-port'
import type { BrowserContext, Page } from 'playwright-core'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { runnableBlocks } from '../../scripts/check-docs.ts'
import { launchChromium } from '../../scripts/chromium.ts'
import { installOnce, type SharedInstall } from '../strangers/shared.ts'

const APP = join(import.meta.dirname, 'apps/quick-start')
const LIMIT = { timeout: 180_000 }
const SOON = { timeout: 40_000 }

let installed: SharedInstall
beforeAll(async () => {
  installed = await installOnce()
}, 300_000)

test(
  'README.md, followed to the letter: two tabs of the Vite dev server show the question and then its answer, and a restarted server has it',
  LIMIT,
  async () => {
    const app = await quickStart()
    const first = await app.startServer()
    const { context, problems } = await newBrowser()
    const tabs = [await open(context, app.url), await open(context, app.url)] as const
    for (const tab of tabs) await tab.getByRole('heading', { name: 'Delete 3 files?' }).waitFor(SOON)
    expect(first.output()).not.toContain('approved')

    await tabs[0].bringToFront()
    const armed = tabs[0].locator(':not([aria-disabled="true"], [data-armed="false"])')
    await tabs[0].locator('[data-slot="approve"]').and(armed).click(SOON)
    await expect.poll(first.output, SOON).toContain('approved')
    for (const tab of tabs) await tab.getByText(/^You approved this ·/).waitFor(SOON)
    for (const tab of tabs) expect(await tab.locator('[data-slot="approve"]').count()).toBe(0)
    expect(problems, 'console and network').toEqual([])

    await first.kill()
    const second = await app.startServer()
    await expect.poll(second.output, SOON).toContain('approved')
    await tabs[1].reload()
    await tabs[1].getByText(/^You approved this ·/).waitFor(SOON)
    for (const tab of tabs) expect(await tab.locator('[data-slot="approve"]').count()).toBe(0)
  },
)

/** Writes the blocks of the README into an empty folder, and starts the dev server of the page. */
async function quickStart() {
  const page = installed.open('quick-start')
  const [serverPort, pagePort, { folder }] = [await freePort(), await freePort(), page]
  cpSync(APP, folder, { recursive: true })
  const blocks = (document: string) => runnableBlocks(document, readFileSync(document, 'utf8')).map(({ code }) => code)
  const [server, component] = blocks('README.md')
  const config = blocks('docs/express.md').find((code) => code.startsWith('// vite.config.ts'))
  const listen = `.listen(${serverPort}, () => console.log('listening'))`
  writeFileSync(join(folder, 'server.mjs'), replaced(server, '.listen(3000)', listen))
  writeFileSync(join(folder, 'src/App.tsx'), component ?? '')
  writeFileSync(join(folder, 'vite.config.ts'), replaced(config, 'localhost:3000', `localhost:${serverPort}`))
  onTestFinished(() => page.dispose())
  await page.start(/Local/, 'vite', '--port', String(pagePort), '--strictPort')
  return {
    url: `http://localhost:${pagePort}/`,
    async startServer() {
      const env = { PATH: process.env.PATH, NODE_ENV: 'development' }
      const child = spawn(process.execPath, ['server.mjs'], { cwd: folder, env })
      let text = ''
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += chunk))
      onTestFinished(() => void child.kill('SIGKILL'))
      await expect.poll(() => text, SOON).toContain('listening')
      return {
        output: () => text,
        async kill() {
          const gone = once(child, 'exit')
          child.kill('SIGKILL')
          await gone
        },
      }
    },
  }
}

async function newBrowser() {
  const browser = await launchChromium()
  onTestFinished(() => browser.close())
  const context = await browser.newContext()
  const problems: string[] = []
  context.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) problems.push(message.text())
  })
  context.on('weberror', (error) => problems.push(error.error().message))
  context.on('response', (response) => {
    if (response.status() >= 400) problems.push(`${response.status()} ${response.url()}`)
  })
  return { context, problems }
}

async function open(context: BrowserContext, url: string): Promise<Page> {
  const page = await context.newPage()
  await page.goto(url)
  return page
}

function replaced(code: string | undefined, from: string, to: string): string {
  if (!code?.includes(from)) throw new Error(`A block of the quick start no longer contains \`${from}\``)
  return code.replace(from, () => to)
}
