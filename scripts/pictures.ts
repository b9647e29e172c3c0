import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BrowserContext, Page } from 'playwright-core'
import { nextServer } from '../test/examples/next-server.ts'
import { openBrowser, press, say } from '../test/examples/people.ts'
import { animatedPng } from './animated-png.ts'

/**
 * Makes the animation at the top of README.md, in light and dark: the Next.js example on a laptop and a phone, where the
 * phone's answer appears on both. Needs a Chromium, as the tests do.
 */
const FOLDER = join(import.meta.dirname, '../docs/images')
const LAPTOP = { width: 580, height: 830 }
const PHONE = { width: 360, height: 830 }
const FRAME = { width: LAPTOP.width + PHONE.width + 60, height: LAPTOP.height + 70 }
const SHOWN_MS = 2_500

const server = await nextServer()
await server.start()
const people = await openBrowser(() => server.url)
try {
  mkdirSync(FOLDER, { recursive: true })
  for (const theme of ['light', 'dark'] as const) {
    const frames = await record(theme)
    const png = animatedPng(frames, SHOWN_MS)
    writeFileSync(join(FOLDER, `answer-${theme}.png`), png)
    console.log(`docs/images/answer-${theme}.png: ${Math.round(png.length / 1000)} kB`)
  }
} finally {
  await people.close()
  await server.dispose()
}

async function record(theme: 'light' | 'dark'): Promise<Buffer[]> {
  const dark = theme === 'dark'
  const [desk, pocket] = await Promise.all([
    people.device({ viewport: LAPTOP, dark }),
    people.device({ viewport: PHONE, dark }),
  ])
  const laptop = await people.signIn(desk, 'Ada')
  await say(laptop, 'delete')
  await laptop.getByRole('button', { name: 'Delete 3 files', exact: true }).waitFor()
  const phone = await people.signIn(pocket, 'Ada', new URL(laptop.url()).pathname)
  await phone.getByRole('button', { name: 'Delete 3 files', exact: true }).waitFor()
  for (const page of [laptop, phone]) await showCard(page)
  const frames = [await frame(desk, laptop, phone, dark, 'The agent stops and asks. Every device shows the card.')]
  await press(phone, 'Delete 3 files')
  for (const page of [laptop, phone]) await page.getByText('Done: 3 files deleted.').waitFor()
  frames.push(await frame(desk, laptop, phone, dark, 'Ada approves on the phone. The tool continues, exactly once.'))
  await people.leaveAll()
  return frames
}

/** Scrolls so that the card's buttons are in view, and lets its entry animation end. */
async function showCard(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Delete 3 files', exact: true }).scrollIntoViewIfNeeded()
  await page.evaluate(() => Promise.all(document.getAnimations().map(({ finished }) => finished.catch(() => {}))))
}

/** One frame: the two screens side by side, with a caption. */
async function frame(context: BrowserContext, laptop: Page, phone: Page, dark: boolean, caption: string) {
  const [left, right] = await Promise.all(
    [laptop, phone].map(async (page) => (await page.screenshot()).toString('base64')),
  )
  const page = await context.newPage()
  await page.setViewportSize(FRAME)
  const [ground, text, line] = dark ? ['#0d1117', '#e6edf3', '#444c56'] : ['#ffffff', '#1f2328', '#d0d7de']
  await page.setContent(`<style>
    body { margin: 0; padding: 10px 15px; background: ${ground}; color: ${text}; font: 500 17px system-ui, sans-serif }
    div { display: flex; gap: 26px } p { margin: 12px 0 0; text-align: center }
    img { border: 1px solid ${line}; border-radius: 10px } img + img { border-radius: 24px }
  </style><div><img src="data:image/png;base64,${left}"><img src="data:image/png;base64,${right}"></div><p>${caption}</p>`)
  await page.waitForFunction(() => [...document.images].every(({ complete }) => complete))
  const shot = await page.screenshot()
  await page.close()
  return shot
}
