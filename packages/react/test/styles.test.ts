import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { build } from 'vite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { launchChromium } from '../../../scripts/chromium.ts'
import { bundle, document, open, styles } from './page.ts'

/** Our style sheet, as it is after the tools of an application have had it. */
const app = `
import { createRoot } from 'react-dom/client'
import { ApprovalDialog } from './approval-dialog/approval-dialog.tsx'
import { InputForm } from './input-form/input-form.tsx'
import { allFields, answered, approval, form } from './testing/interactions.ts'
import { StoryFrame } from './testing/story-frame.tsx'
createRoot(document.getElementById('root')).render(
  <StoryFrame classNames={{ deny: 'px-8' }}>
    <ApprovalDialog interaction={approval()} />
    <ApprovalDialog interaction={answered(approval(), { action: 'approve' })} />
    <InputForm interaction={form({ request: { inputSchema: { type: 'form', fields: allFields.filter(({ type }) => type === 'select') } } })} />
    <ApprovalDialog dir="ltr" interaction={answered(approval(), { action: 'deny' })} />
    <InputForm dir="ltr" interaction={form({ request: { inputSchema: { type: 'form', fields: allFields.filter(({ type }) => type === 'select') } } })} />
  </StoryFrame>
)
`

let browser: Browser
let script: string
let scratch: string
beforeAll(async () => {
  scratch = mkdtempSync(join(tmpdir(), 'holdpoint-styles-'))
  browser = await launchChromium()
  script = await bundle(app)
}, 60_000)
afterAll(async () => {
  rmSync(scratch, { recursive: true, force: true })
  await browser.close()
})

async function shown<T>(
  style: string,
  look: (page: Page) => Promise<T>,
  context: Parameters<Browser['newContext']>[0] = {},
): Promise<T> {
  const { page, complaints, close } = await open(browser, document({ script, style }), { context })
  try {
    await page.locator('[data-slot="card"]').first().waitFor()
    const seen = await look(page)
    expect(complaints).toEqual([])
    return seen
  } finally {
    await close()
  }
}

describe('styles with Tailwind 4, built by its own command', () => {
  const modules = join(import.meta.dirname, '../node_modules')
  const order = '@layer theme, base, holdpoint, components, utilities;'
  const tailwind = "@import 'tailwindcss' source(none);\n@source inline('px-8');"
  const ours = `@import '${styles}';`

  /** Padding and border of the two buttons; `px-8` is on the denying one. */
  const buttons = (page: Page) =>
    page.evaluate(() =>
      ['approve', 'deny'].map((slot) => {
        const style = getComputedStyle(globalThis.document.querySelector(`[data-slot="${slot}"]`)!)
        return [style.paddingInlineStart, style.borderTopWidth]
      }),
    )

  function built(source: string, ...options: string[]): string {
    // Its command finds `tailwindcss` from where the input lies.
    const home = mkdtempSync(join(modules, '.tailwind-'))
    try {
      writeFileSync(join(home, 'in.css'), source)
      const command = join(modules, '.bin/tailwindcss')
      execFileSync(command, ['-i', join(home, 'in.css'), '-o', join(home, 'out.css'), ...options], { stdio: 'pipe' })
      return readFileSync(join(home, 'out.css'), 'utf8')
    } finally {
      rmSync(home, { recursive: true, force: true })
    }
  }

  test.each([[[]], [['--minify']]])(
    'lose to its utilities and win over its reset in the documented order %j',
    async (options) => {
      const css = built(`${order}\n${tailwind}\n${ours}`, ...options)
      expect(await shown(css, buttons)).toEqual([
        ['14px', '1px'],
        ['32px', '1px'],
      ])
    },
  )

  test('lose to its reset if they are imported before it without the order', async () => {
    expect(await shown(built(`${ours}\n${tailwind}`), buttons)).toEqual([
      ['0px', '0px'],
      ['32px', '0px'],
    ])
  })

  test('win over classNames if they are imported after it without the order', async () => {
    expect(await shown(built(`${tailwind}\n${ours}`), buttons)).toEqual([
      ['14px', '1px'],
      ['14px', '1px'],
    ])
  })
})

/** As Vite builds it for these browsers. */
async function builtFor(cssTarget: string[], more = ''): Promise<string> {
  const root = mkdtempSync(join(scratch, 'vite-'))
  writeFileSync(join(root, 'index.html'), '<!doctype html><link rel="stylesheet" href="./app.css">')
  writeFileSync(join(root, 'app.css'), `@import '${styles}';\n${more}`)
  await build({ root, configFile: false, logLevel: 'silent', build: { cssTarget } })
  const [file] = readdirSync(join(root, 'dist/assets')).filter((name) => name.endsWith('.css'))
  return readFileSync(join(root, 'dist/assets', file!), 'utf8')
}

describe('right-to-left pages', () => {
  /** On which side the arrows of lists are, and where the lines below outcomes begin: on the page, and in cards turned back. */
  const sides = (page: Page) =>
    page.evaluate(() => {
      globalThis.document.documentElement.dir = 'rtl'
      const arrows = [...globalThis.document.querySelectorAll('select')].map((select) =>
        getComputedStyle(select).backgroundPosition.startsWith('11px') ? 'left' : 'right',
      )
      const lines = [...globalThis.document.querySelectorAll('.hp-gist')].map((gist) => {
        const range = globalThis.document.createRange()
        range.selectNodeContents(gist)
        const [box, text] = [gist.getBoundingClientRect(), range.getBoundingClientRect()]
        return text.left - box.left < box.right - text.right ? 'left' : 'right'
      })
      return { arrows, lines }
    })

  // The older one knows no :dir(), which a build then turns into a list of languages; the page here is in English.
  test.each([[['chrome111', 'safari16']], [['chrome130', 'safari18']]])(
    'mirror arrows and lines in a build for %j',
    async (targets) => {
      expect(await shown(await builtFor(targets), sides)).toEqual({
        arrows: ['left', 'right'],
        lines: ['right', 'left'],
      })
    },
  )
})

describe('a build that compiles light-dark() to older CSS', () => {
  const dark = 'rgb(25, 26, 29)'
  const light = 'rgb(255, 255, 255)'
  const background = (page: Page) =>
    page.evaluate(() => getComputedStyle(globalThis.document.querySelector('[data-slot="card"]')!).backgroundColor)

  async function built(more: string): Promise<string> {
    const css = await builtFor(['chrome111', 'safari16'], more)
    expect(css, 'the build left light-dark() as it is: nothing is tested here').not.toContain('light-dark(')
    return css
  }

  test.each([
    ['no text: light', '', '', light],
    ['a page with color-scheme dark', 'html { color-scheme: dark }', '', dark],
    ['a page with color-scheme light', 'html { color-scheme: light }', '', light],
    ['by attribute', 'html { color-scheme: light }', "document.documentElement.dataset.hpTheme = 'dark'", dark],
    ['by class', '', "document.documentElement.className = 'dark'", dark],
    ['as the system, by attribute', '', "document.documentElement.dataset.hpTheme = 'auto'", dark],
    [
      'light by attribute on a dark page',
      'html { color-scheme: dark }',
      "document.body.dataset.hpTheme = 'light'",
      light,
    ],
  ])('%s', async (_, more, change, expected) => {
    const look = async (page: Page) => {
      if (change) await page.evaluate(change)
      return background(page)
    }
    expect(await shown(await built(more), look, { colorScheme: 'dark' })).toBe(expected)
  })
})
