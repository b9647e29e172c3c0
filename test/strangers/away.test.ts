import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { launchChromium } from '../../scripts/chromium.ts'
import { installOnce } from './shared.ts'
import { APPS } from './stranger.ts'

/** The walk of a person who is away: an app of packed packages asks, and a phone without JavaScript answers. */
const SLOW = { timeout: 300_000 }
const PHONE = { viewport: { width: 390, height: 844 }, javaScriptEnabled: false, isMobile: true }
const WITHIN_MS = 1_000
let browser: Browser
let url = ''
let dispose = async () => {}

beforeAll(async () => {
  const app = (await installOnce()).open('away')
  dispose = () => app.dispose()
  cpSync(join(APPS, 'away'), app.folder, { recursive: true })
  await build({
    ...{ entryPoints: [join(app.folder, 'page.tsx')], outfile: join(app.folder, 'page.js'), logLevel: 'silent' },
    ...{ bundle: true, jsx: 'automatic', format: 'esm', define: { 'process.env.NODE_ENV': '"production"' } },
  })
  const said = await app.start(/listening on \d+/, process.execPath, 'server.ts')
  url = `http://127.0.0.1:${/listening on (\d+)/.exec(said)?.[1]}`
  browser = await launchChromium()
}, 600_000)
afterAll(async () => {
  await browser?.close()
  await dispose()
})

async function device(options: object = {}): Promise<Page> {
  const context = await browser.newContext(options)
  onTestFinished(() => context.close())
  return await context.newPage()
}

/** Asks, and answers on a phone at the address that `find` returns. Returns the result and when the open tab showed it. */
async function answerAway(call: string, find: () => Promise<string | undefined>) {
  const tab = await device()
  await tab.goto(url)
  const asked = fetch(`${url}/ask?${call}`).then((response) => response.json())
  await tab.getByText(`Delete 3 files? (${call})`).first().waitFor()
  let link: string | undefined
  await expect.poll(async () => (link = await find()), { timeout: 20_000 }).toMatch(/^http/)
  const phone = await device(PHONE)
  await phone.goto(link ?? '')
  await phone.getByText(`Delete 3 files? (${call})`).first().waitFor()
  const card = tab.locator('[data-slot="card"]').last()
  const seen = card
    .getByText(/on another device/)
    .waitFor()
    .then(() => performance.now())
  const clicked = performance.now()
  await phone.getByRole('button', { name: 'Approve', exact: true }).click()
  const ms = (await seen) - clicked
  await phone.getByRole('heading', { name: 'You approved this' }).waitFor()
  return { result: await asked, ms }
}

test(
  'a link that is answered on a phone without JavaScript is answered elsewhere on the open tab within a second',
  SLOW,
  async () => {
    const { result, ms } = await answerAway('by-link', async () => {
      const response = await fetch(`${url}/link`)
      return response.ok ? response.text() : undefined
    })
    expect(result).toMatchObject({ outcome: 'approved', respondedBy: { userId: 'ada' } })
    console.log(`a link: the open tab shows the answer after ${Math.round(ms)} ms`)
    expect(ms).toBeLessThan(WITHIN_MS)
  },
)

test('a mail that is answered the same way is answered elsewhere on the open tab within a second', SLOW, async () => {
  const { result, ms } = await answerAway('by-mail', async () => {
    const mails: { text: string }[] = await (await fetch(`${url}/mails`)).json()
    const mail = mails.find(({ text }) => text.includes('(by-mail)'))
    return mail && /https?:\S+\/answer\/\S+/.exec(mail.text)?.[0]
  })
  expect(result).toMatchObject({ outcome: 'approved', respondedBy: { userId: 'ada' } })
  console.log(`a mail: the open tab shows the answer after ${Math.round(ms)} ms`)
  expect(ms).toBeLessThan(WITHIN_MS)
})
