import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { launchChromium } from '../../../scripts/chromium.ts'
import { bundle, document, open, stylesheet } from './page.ts'

/** `window.show(story)` puts one story on the page. */
const app = `
import { createRoot } from 'react-dom/client'
import { flushSync } from 'react-dom'
import { everyStory } from './testing/checks/every-story.ts'
import { fakeClient } from './testing/fake-client.ts'
import { StoryFrame } from './testing/story-frame.tsx'
const root = createRoot(document.getElementById('root'))
const client = fakeClient()
const stories = new Map(everyStory())
Object.assign(window, {
  client,
  violations: [],
  stories: [...stories.keys()],
  show: (name, props = {}) => flushSync(() => root.render(<StoryFrame key={name} client={client} {...props}>{stories.get(name)}</StoryFrame>)),
})
document.addEventListener('securitypolicyviolation', (event) => window.violations.push(event.violatedDirective + ' ' + event.blockedURI))
`

let browser: Browser
let script: string
beforeAll(async () => {
  browser = await launchChromium()
  script = await bundle(app)
}, 60_000)
afterAll(() => browser.close())

const show = (page: Page, story: string, props: object = {}) =>
  page.evaluate(([name, given]) => (window as never as { show(name: string, props: object): void }).show(name, given), [
    story,
    props,
  ] as const)
const stories = (page: Page) => page.evaluate(() => (window as never as { stories: string[] }).stories)

test('a strict style-src with a nonce is not violated, with the larger view open as well [C12.1]', async () => {
  const nonce = 'r4nd0m'
  const headers = {
    'content-security-policy': `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; img-src data:; base-uri 'none'`,
  }
  const { page, complaints, close } = await open(browser, document({ script, style: stylesheet(), nonce }), { headers })
  try {
    for (const story of await stories(page)) await show(page, story)
    for (const story of ['ApprovalDialog Scopes', 'InputForm EveryFieldType']) {
      await show(page, story)
      await page.locator('[data-slot="pop-out"]').click()
      await page.locator('[data-slot="pop-out-view"]').waitFor()
      await page.keyboard.press('Escape')
      await page.locator('[data-slot="pop-out-view"]').waitFor({ state: 'detached' })
    }
    expect(await page.evaluate('violations')).toEqual([])
    expect(complaints).toEqual([])
  } finally {
    await close()
  }
})

test('cards without any stylesheet are plain, and work', async () => {
  const { page, close } = await open(browser, document({ script }))
  try {
    await show(page, 'InputForm Default')
    await page.getByLabel('E-mail').fill('ada@example.com')
    await page.getByRole('button', { name: 'Send' }).click()
    await show(page, 'ApprovalDialog Scopes')
    await page.getByLabel('How long your approval counts').selectOption('session')
    await page.locator('[data-slot="approve"][data-armed="true"]').click()
    expect(await page.evaluate('client.calls.map(({ args }) => args[1])')).toEqual([
      {
        action: 'submit',
        input: { email: 'ada@example.com', copies: 1 },
        shownDigest: expect.stringMatching(/^[\w-]{43}$/),
      },
      { action: 'approve', approvalScope: 'session', shownDigest: expect.stringMatching(/^[\w-]{43}$/) },
    ])
  } finally {
    await close()
  }
})

describe('reflow', () => {
  test.each([
    ['320 pixels', { width: 320, height: 640 }, ''],
    ['640 pixels with text at 200 %', { width: 640, height: 800 }, 'html { font-size: 200% }'],
  ])('%s: no story scrolls sideways [C10.3]', async (_, viewport, more) => {
    const { page, close } = await open(browser, document({ script, style: `${stylesheet()}\n${more}` }), {
      context: { viewport },
    })
    try {
      const wide: string[] = []
      for (const story of await stories(page)) {
        await show(page, story)
        const fits = await page.evaluate(() => globalThis.document.documentElement.scrollWidth <= window.innerWidth)
        if (!fits) wide.push(story)
      }
      expect(wide).toEqual([])
    } finally {
      await close()
    }
  })
})

test.each(['ApprovalDialog Scopes', 'InputForm EveryFieldType', 'AuthRequestCard Default', 'Inbox One'])(
  'on a touch screen the controls of a card are 44 pixels high, and a phone does not zoom in on its fields: %s',
  async (story) => {
    const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
    const { page, close } = await open(browser, document({ script, style: stylesheet() }), { context: phone })
    try {
      expect(await page.evaluate(() => matchMedia('(pointer: coarse)').matches)).toBe(true)
      await show(page, story)
      const controls = await page
        .locator(':is(.hp-card, .hp-inbox) :is(button, input, select, textarea, label.hp-choice)')
        .all()
      expect(controls.length).toBeGreaterThan(1)
      const small: string[] = []
      for (const control of controls) {
        const found = await control.evaluate((element) => {
          const { height } = element.getBoundingClientRect()
          const { fontSize } = getComputedStyle(element)
          const inChoice = element.matches('label input')
          const typed = element.matches('input:not([type=radio], [type=checkbox], [type=file]), select, textarea')
          const name = `${element.tagName} ${element.getAttribute('data-slot') ?? element.getAttribute('name')}`
          return [
            height > 0 && height < 44 && !inChoice ? `${name} is ${height} pixels high` : '',
            typed && Number.parseFloat(fontSize) < 16 ? `${name} has text of ${fontSize}` : '',
          ].filter(Boolean)
        })
        small.push(...found)
      }
      expect(small).toEqual([])
    } finally {
      await close()
    }
  },
)

test('threat 14: hostile text remains text: no script runs, and no element or link is made of it [T14.3] [C11.1]', async () => {
  const { page, close } = await open(browser, document({ script, style: stylesheet() }))
  try {
    for (const story of [
      'ApprovalDialog HostileText',
      'InputForm HostileText',
      'AuthRequestCard HostileText',
      'ApprovalDialog LongText',
    ]) {
      await show(page, story)
      expect(await page.locator('#root script, #root b, #root img[onerror]').count(), story).toBe(0)
      for (const link of await page.locator('#root a').all())
        expect(await link.getAttribute('href')).toMatch(/^(https?:|#)/)
      expect(await page.locator('#root').textContent()).not.toMatch(/[\u200b\u202a-\u202e]/)
    }
    expect(await page.evaluate('window.pwned')).toBeUndefined()
    await show(page, 'AuthRequestCard LookAlikeHost')
    expect(await page.locator('[data-slot="connect-link"]').textContent()).toContain('xn--')
  } finally {
    await close()
  }
})

test('edges and focus are visible as lines in forced colors, not as shadows [C10.1]', async () => {
  const { page, close } = await open(browser, document({ script, style: stylesheet() }), {
    context: { forcedColors: 'active' },
  })
  try {
    await show(page, 'ApprovalDialog Default')
    for (const slot of ['approve', 'deny']) {
      const button = page.locator(`[data-slot="${slot}"]`)
      expect(
        await button.evaluate((one) => parseFloat(getComputedStyle(one).borderTopWidth)),
        slot,
      ).toBeGreaterThanOrEqual(1)
    }
    await page.keyboard.press('Tab')
    const outline = await page.evaluate(() => getComputedStyle(globalThis.document.activeElement!).outlineStyle)
    expect(outline).toBe('solid')
  } finally {
    await close()
  }
})

test('nothing moves under reduced motion [C10.2]', async () => {
  const { page, close } = await open(browser, document({ script, style: stylesheet() }), {
    context: { reducedMotion: 'reduce' },
  })
  try {
    for (const story of await stories(page)) {
      await show(page, story)
      const moving = await page.evaluate(
        () =>
          [...globalThis.document.querySelectorAll('#root *')].filter((element) => {
            const { transitionDuration, animationName } = getComputedStyle(element)
            return parseFloat(transitionDuration) > 0 || animationName !== 'none'
          }).length,
      )
      expect(moving, story).toBe(0)
    }
  } finally {
    await close()
  }
})

test('dark mode follows the page, the attribute and the class', async () => {
  const { page, close } = await open(browser, document({ script, style: stylesheet() }))
  const background = () => page.locator('[data-slot="card"]').evaluate((card) => getComputedStyle(card).backgroundColor)
  try {
    await show(page, 'ApprovalDialog Default')
    const light = await background()
    for (const darken of [
      "document.documentElement.style.colorScheme = 'dark'",
      "document.documentElement.setAttribute('data-hp-theme', 'dark')",
      "document.body.className = 'dark'",
    ]) {
      await page.evaluate(darken)
      expect(await background(), darken).toBe('rgb(25, 26, 29)')
      await page.evaluate(
        "document.documentElement.removeAttribute('style'); document.documentElement.removeAttribute('data-hp-theme'); document.body.className = ''",
      )
      expect(await background()).toBe(light)
    }
  } finally {
    await close()
  }
})
