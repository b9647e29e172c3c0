import type { BrowserContextOptions } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { startInBrowser } from './in-browser.ts'

/** The pages on narrow screens, enlarged text, and paper. */
const world = startInBrowser()

const FORM = {
  prompt: 'Please complete your trip.',
  fields: [
    { id: 'budget', type: 'money', label: 'Budget', currency: 'EUR' },
    {
      id: 'seat',
      type: 'radio',
      label: 'Seat',
      options: [{ value: 'w', label: 'Window' }],
      other: true,
      group: 'Flight',
    },
    { id: 'day', type: 'date', label: 'Departure' },
    { id: 'at', type: 'datetime', label: 'Pick-up' },
    { id: 'stay', type: 'daterange', label: 'Stay' },
    { id: 'scan', type: 'file', label: 'Scan of the passport', multiple: true },
    { id: 'ok', type: 'checkbox', label: 'I have read the fare rules', const: true, required: true },
  ],
}
const APPROVAL = {
  prompt: 'Send the contract?',
  args: {
    recipient: 'juergen.mueller@subsidiary.example.com',
    attachments: [{ name: 'contract-2026-final.pdf', size: 182_044 }],
    number_of_participants_in_the_workshop_on_monday: 3,
  },
}

async function open(asked: object, options: BrowserContextOptions) {
  const id = crypto.randomUUID()
  const call = world.app.holdpoint
    .session(id, { userId: 'ada' })
    .toolCall({ runId: 'run', toolCallId: 'call', toolName: 'plan_trip' })
  void ('fields' in asked ? call.tryAsk(asked as never) : call.tryApprove(asked as never)).catch(() => {})
  const find = async () => (await world.app.holdpoint.interactions.list({ sessionId: id })).interactions[0]
  await expect.poll(find).toBeTruthy()
  const { interactionId = '' } = (await find()) ?? {}
  const url = world.pages.linkUrl(await world.app.holdpoint.links.create({ interactionId, userId: 'ada' }))
  const context = await world.browser.newContext(options)
  onTestFinished(() => context.close())
  const page = await context.newPage()
  await page.goto(url)
  return page
}

test.each([320, 160].flatMap((width) => (['en', 'ar'] as const).map((locale) => [width, locale] as const)))(
  'a form and an approval fit into %i pixels in %s',
  async (width, locale) => {
    for (const asked of [FORM, APPROVAL]) {
      const page = await open(asked, { viewport: { width, height: 600 }, locale })
      expect(await page.evaluate(() => document.documentElement.scrollWidth), asked.prompt).toBeLessThanOrEqual(width)
    }
  },
  60_000,
)

test.each([390, 320, 160])(
  'values of arguments are not squeezed into a column of letters at %i pixels',
  async (width) => {
    const page = await open(APPROVAL, { viewport: { width, height: 600 } })
    const widths = await page.locator('dd').evaluateAll((all) => all.map((one) => one.getBoundingClientRect().width))
    expect(widths.length).toBeGreaterThan(4)
    expect(Math.min(...widths)).toBeGreaterThan(width > 160 ? 100 : 70)
  },
  60_000,
)

test('a printed page is dark on white without buttons, whatever the scheme of the device', async () => {
  const page = await open(APPROVAL, { colorScheme: 'dark' })
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  expect(await page.locator('.actions').isVisible()).toBe(false)
  expect(await page.locator('h1').isVisible()).toBe(true)
  const colors = await page.evaluate(() => {
    const [text, paper] = ['h1', 'main'].map((name) => document.querySelector(name) as Element)
    return [getComputedStyle(text as Element).color, getComputedStyle(paper as Element).backgroundColor]
  })
  expect(colors).toEqual(['rgb(27, 28, 31)', 'rgb(255, 255, 255)'])
}, 60_000)

test('a form names its errors in the title of the page, and keeps what was typed after a reload', async () => {
  const fields = [
    { id: 'name', type: 'text', label: 'Name', required: true },
    { id: 'mail', type: 'email', label: 'Mail' },
  ]
  const page = await open({ prompt: 'Who?', fields }, { javaScriptEnabled: false })
  await page.fill('[name="f.mail"]', 'nope')
  await page.click('button[value=submit]')
  for (const _again of ['as posted', 'posted again']) {
    expect(await page.title()).toBe('2 answers need another look · Information needed')
    expect(await page.inputValue('[name="f.mail"]')).toBe('nope')
    await page.reload()
  }
}, 60_000)
