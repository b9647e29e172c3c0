import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sparticuz from '@sparticuz/chromium'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumPath, launchChromium } from '../../../scripts/chromium.ts'
import { bundle, document, open, stylesheet } from './page.ts'

/**
 * Every state of every component, two themes, two widths, against pictures in the repository (what a state is is shown
 * once; long and hostile texts are tested elsewhere). They are of one browser,
 * with its own font: another browser draws letters otherwise, so there nothing is compared.
 * After a change that is meant: UPDATE_BASELINES=1, look at the pictures, commit them.
 */
const ours = (await chromiumPath()) === (await sparticuz.executablePath())
const folder = join(import.meta.dirname, '__screenshots__')
const update = process.env.UPDATE_BASELINES === '1'

const app = `
import { createRoot } from 'react-dom/client'
import { everyStory } from './testing/checks/every-story.ts'
import { StoryFrame } from './testing/story-frame.tsx'
window.show = (component) => createRoot(document.getElementById('root')).render(
  <StoryFrame>
    {everyStory().filter(([name]) => name.startsWith(component) && !/Default|Idle|Pending|LongText|Hostile/.test(name)).map(([name, element]) => (
      <div key={name} className="state"><small>{name}</small>{element}</div>
    ))}
  </StoryFrame>
)
`

/** The font comes with the page: nothing depends on what a machine has. */
function font(): string {
  const files = join(import.meta.dirname, '../node_modules/@fontsource/inter/files')
  return [400, 500, 600]
    .map((weight) => {
      const data = readFileSync(join(files, `inter-latin-${weight}-normal.woff2`)).toString('base64')
      return `@font-face { font-family: Inter; font-weight: ${weight}; src: url(data:font/woff2;base64,${data}) }`
    })
    .join('\n')
}
const page = (theme: string) => `${font()}
:root { --hp-font: Inter; --hp-font-code: Inter; color-scheme: ${theme} }
body { margin: 16px; font: 12px Inter; background: light-dark(#fff, #121315); color: light-dark(#555, #bbb) }
* { transition: none !important; caret-color: transparent !important }
*::after { animation: none !important }
.state { margin-block-end: 16px }`

let browser: Browser
let script: string
beforeAll(async () => {
  browser = await launchChromium()
  script = await bundle(app)
}, 60_000)
afterAll(() => browser.close())

const name = ours
  ? 'looks as before'
  : 'looks as before (skipped: the pictures are of the Chromium in @sparticuz/chromium)'
describe.skipIf(!ours)(name, () => {
  const cases = ['ApprovalDialog', 'InputForm', 'AuthRequestCard'].flatMap((component) =>
    ['light', 'dark'].flatMap((theme) => [360, 768].map((width) => [component, theme, width] as const)),
  )
  test.each(cases)(
    '%s, %s, %i pixels',
    async (component, theme, width) => {
      const html = document({ script, style: `${stylesheet()}\n${page(theme)}` })
      const context = { viewport: { width, height: 900 }, locale: 'en-US', timezoneId: 'UTC', deviceScaleFactor: 1 }
      const opened = await open(browser, html, { context })
      try {
        await opened.page.evaluate(`show('${component}')`)
        await opened.page.evaluate(() => globalThis.document.fonts.ready)
        // All of it in view: only what is seen is armed.
        const height = await opened.page.evaluate(() => globalThis.document.documentElement.scrollHeight)
        await opened.page.setViewportSize({ width, height })
        // A button that could be pressed is armed by now; one that cannot never will be.
        await opened.page.waitForTimeout(900)
        const root = opened.page.locator('#root')
        await compare(opened.page, `${component}-${theme}-${width}`, await root.screenshot())
      } finally {
        await opened.close()
      }
    },
    30_000,
  )
})

async function compare(page: Page, name: string, actual: Buffer): Promise<void> {
  const file = join(folder, `${name}.webp`)
  const seen = join(folder, `${name}-actual-1.png`)
  mkdirSync(folder, { recursive: true })
  if (update) return writeFileSync(file, Buffer.from(await page.evaluate(smaller, actual.toString('base64')), 'base64'))
  if (!existsSync(file))
    throw new Error(`There is no picture ${name}.webp yet: run with UPDATE_BASELINES=1 and look at it`)
  const before = `image/webp;base64,${readFileSync(file).toString('base64')}`
  const pictures = [before, `image/png;base64,${actual.toString('base64')}`]
  const changed = await page.evaluate(share, pictures)
  rmSync(seen, { force: true })
  if (changed > 0.0002) writeFileSync(seen, actual)
  expect(changed, `share of pixels that differ; see ${name}-actual-1.png`).toBeLessThanOrEqual(0.0002)
}

/** In the page: how many of the pixels differ, from 0 to 1. Another size is another picture. */
async function share(pictures: string[]): Promise<number> {
  const pixels = await Promise.all(
    pictures.map(async (data) => {
      const blob = await (await fetch(`data:${data}`)).blob()
      const bitmap = await createImageBitmap(blob)
      const canvas = new OffscreenCanvas(bitmap.width, bitmap.height)
      const drawing = canvas.getContext('2d')!
      drawing.drawImage(bitmap, 0, 0)
      return drawing.getImageData(0, 0, bitmap.width, bitmap.height)
    }),
  )
  const [before, after] = pixels as [ImageData, ImageData]
  if (before.width !== after.width || before.height !== after.height) return 1
  let different = 0
  for (let at = 0; at < before.data.length; at += 4) {
    const far = [0, 1, 2].some((channel) => Math.abs(before.data[at + channel]! - after.data[at + channel]!) > 16)
    if (far) different++
  }
  return different / (before.data.length / 4)
}

/** In the page: the same picture without loss in a fifth of the bytes. */
async function smaller(png: string): Promise<string> {
  const bitmap = await createImageBitmap(await (await fetch(`data:image/png;base64,${png}`)).blob())
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height)
  canvas.getContext('2d')!.drawImage(bitmap, 0, 0)
  const bytes = new Uint8Array(await (await canvas.convertToBlob({ type: 'image/webp', quality: 1 })).arrayBuffer())
  let text = ''
  for (let at = 0; at < bytes.length; at += 8_192) text += String.fromCharCode(...bytes.subarray(at, at + 8_192))
  return btoa(text)
}
