import { arabic } from '@holdpoint/core/messages/ar'
import { german } from '@holdpoint/core/messages/de'
import { spanish } from '@holdpoint/core/messages/es'
import { french } from '@holdpoint/core/messages/fr'
import { japanese } from '@holdpoint/core/messages/ja'
import { simplifiedChinese } from '@holdpoint/core/messages/zh'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { accessibilityProblems } from './accessibility.ts'
import { startInBrowser } from './in-browser.ts'

/** A questionnaire on the page, in a real browser without JavaScript: on a phone, light, dark and right to left. */
const PHONE: BrowserContextOptions = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true }

const world = startInBrowser()
let calls = 0

const trip = [
  {
    id: 'how',
    type: 'radio',
    label: 'How do you travel?',
    required: true,
    options: [
      { value: 'train', label: 'By train' },
      { value: 'car', label: 'By car', description: 'A rented one.' },
    ],
  },
  {
    id: 'plate',
    type: 'text',
    label: 'License plate',
    required: true,
    group: 'Car',
    when: { field: 'how', is: 'car' },
  },
  { id: 'seats', type: 'integer', label: 'Seats', defaultValue: 2, group: 'Car', when: { field: 'how', is: 'car' } },
  { id: 'stay', type: 'daterange', label: 'Stay', required: true, group: 'Dates' },
  {
    id: 'extras',
    type: 'multiselect',
    label: 'Extras',
    group: 'Dates',
    other: true,
    options: [{ value: 'b', label: 'Breakfast' }],
  },
  { id: 'budget', type: 'money', label: 'Budget', currency: 'EUR', group: 'Money' },
  { id: 'notes', type: 'textarea', label: 'Notes', group: 'Money' },
]

async function ask() {
  const id = `trip-${++calls}`
  const asking = world.app.holdpoint
    .session(id, { userId: 'ada' })
    .toolCall({ runId: 'r', toolCallId: 'c', toolName: 'book_trip' })
    .tryAsk({ prompt: 'Tell me about your trip to Vienna.', presentation: 'questionnaire', fields: trip as never })
  const { interactions } = await world.app.holdpoint.interactions.list({ sessionId: id })
  let interactionId = interactions[0]?.interactionId
  while (!interactionId) {
    interactionId = (await world.app.holdpoint.interactions.list({ sessionId: id })).interactions[0]?.interactionId
  }
  return { asking, url: world.pages.linkUrl(await world.app.holdpoint.links.create({ interactionId, userId: 'ada' })) }
}

const button = (page: Page, action: string) => page.locator(`button[value=${action}]`)
/** Presses a button of the form and waits for the page that follows. */
const press = (page: Page, action: string) => leads(page, () => button(page, action).tap())
const leads = (page: Page, act: () => Promise<unknown>) => Promise.all([page.waitForEvent('load'), act()])
const stepOf = (page: Page) => page.locator('.step span').textContent()

test('a questionnaire is answered step by step on a phone without JavaScript, with Back, Enter and a reload', async () => {
  const { asking, url } = await ask()
  const context = await world.browser.newContext({ ...PHONE, javaScriptEnabled: false })
  const page = await context.newPage()
  const refused: string[] = []
  page.on('console', (message) => void refused.push(message.text()))
  await page.goto(url)
  expect(await stepOf(page)).toBe('Step 1 of 3')
  await press(page, 'next')
  await page.getByRole('alert').waitFor()
  expect(await page.locator('.error').allTextContents()).toEqual(['Give an answer.'])
  await page.getByLabel('By car').tap()
  await press(page, 'next')
  expect(await stepOf(page)).toBe('Step 2 of 4')
  expect(await page.title()).toContain('Step 2 of 4')
  await page.getByLabel('License plate').fill('W 12345')
  // The Enter key presses "Next", not "Back".
  await leads(page, () => page.getByLabel('License plate').press('Enter'))
  await page.getByLabel('From').fill('2026-12-01')
  await page.getByLabel('To', { exact: true }).fill('2026-12-04')
  await page.getByLabel('Breakfast').tap()
  await page.getByLabel('Extras: your own answer').fill('A quiet room')
  await press(page, 'back')
  expect(await page.getByLabel('License plate').inputValue()).toBe('W 12345')
  await press(page, 'next')
  expect(await page.getByLabel('Extras: your own answer').inputValue()).toBe('A quiet room')
  await press(page, 'next')
  await page.reload()
  expect(await stepOf(page)).toBe('Step 4 of 4')
  const summary = page.locator('dl').last()
  expect((await summary.locator('dt').allTextContents()).join('|')).toBe(
    'How do you travel?|License plate|Seats|Stay|Extras',
  )
  expect((await summary.locator('dd').allTextContents()).join('|').replace(/\s/g, ' ')).toBe(
    'By car|W 12345|2|December 1 – 4, 2026|Breakfast, A quiet room',
  )
  await page.getByLabel('Budget').fill('900.50')
  await press(page, 'submit')
  await page.getByRole('heading', { name: 'You answered this' }).waitFor()
  expect(page.url()).toBe(url)
  const stay = { from: '2026-12-01', to: '2026-12-04' }
  expect(await asking).toMatchObject({
    input: { how: 'car', plate: 'W 12345', seats: 2, stay, extras: ['b', 'A quiet room'], budget: 900.5 },
  })
  // The browser reports a blocked style, script or form in its console.
  expect(refused.filter((line) => /Content Security Policy/i.test(line))).toEqual([])
  await context.close()
}, 60_000)

test.each([
  ['light', 'en', undefined],
  ['dark', 'en', undefined],
  ['light', 'ar', arabic],
  ['dark', 'ar', arabic],
  ['light', 'de', german],
  ['light', 'es', spanish],
  ['light', 'fr', french],
  ['light', 'ja', japanese],
  ['light', 'zh', simplifiedChinese],
] as const)(
  'each step in %s and %s has no accessibility problem, its translation, and fits a phone',
  async (scheme, locale, messages) => {
    const { url } = await ask()
    const context = await world.browser.newContext({ ...PHONE, colorScheme: scheme, locale })
    const page = await context.newPage()
    const check = async (name: string) => {
      const shots = process.env.HOLDPOINT_SHOTS
      if (shots) await page.screenshot({ path: `${shots}/steps-${name}-${scheme}-${locale}.png`, fullPage: true })
      expect(await accessibilityProblems(page)).toEqual([])
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
    }
    await page.goto(url)
    await check('first')
    await page.locator('input[value=car]').tap()
    await press(page, 'next')
    await press(page, 'next')
    await page.getByRole('alert').waitFor()
    await check('wrong')
    if (messages) {
      expect(await button(page, 'next').textContent()).toBe(messages.nextStep)
      expect(await button(page, 'back').textContent()).toBe(messages.previousStep)
      expect(await stepOf(page)).toBe((messages.step as (of: object) => string)({ index: 2, total: 4 }))
    }
    await page.locator('[name="f.plate"]').fill('W 12345')
    await press(page, 'next')
    await page.locator('[name="f.stay.from"]').fill('2026-12-01')
    await page.locator('[name="f.stay.to"]').fill('2026-12-04')
    await press(page, 'next')
    if (messages) await page.getByRole('heading', { name: messages.yourAnswers }).waitFor()
    await check('last')
    await context.close()
  },
  60_000,
)
