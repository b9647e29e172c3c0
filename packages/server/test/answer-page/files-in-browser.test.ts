import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { accessibilityProblems } from './accessibility.ts'
import { startInBrowser } from './in-browser.ts'

/** Files on the page, in a real browser without JavaScript: on a phone, light, dark and right to left. */
const PHONE: BrowserContextOptions = {
  viewport: { width: 360, height: 740 },
  isMobile: true,
  hasTouch: true,
  javaScriptEnabled: false,
}
const MiB = 1024 * 1024

const world = startInBrowser()
let calls = 0

const FIELDS = [
  { id: 'title', type: 'text', label: 'Title', required: true, group: 'About' },
  {
    id: 'photo',
    type: 'file',
    label: 'Photo of the damage',
    accept: ['image/*'],
    required: true,
    description: 'The whole car, please.',
    group: 'Files',
  },
  { id: 'more', type: 'file', label: 'More documents', multiple: true, maxBytes: 1_000_000, group: 'Files' },
  { id: 'notes', type: 'textarea', label: 'Notes', group: 'Notes' },
]

async function ask(more: object = {}) {
  const id = `files-${++calls}`
  const context = world.app.holdpoint
    .session(id, { userId: 'ada' })
    .toolCall({ runId: 'r', toolCallId: 'c', toolName: 'claim' })
  const asking = context.tryAsk({ prompt: 'What happened?', fields: FIELDS, ...more } as never)
  let interactionId: string | undefined
  while (!interactionId) {
    interactionId = (await world.app.holdpoint.interactions.list({ sessionId: id })).interactions[0]?.interactionId
  }
  const url = world.pages.linkUrl(await world.app.holdpoint.links.create({ interactionId, userId: 'ada' }))
  return { context, asking, url }
}

const photo = { name: 'Schaden "vorn".png', mimeType: 'image/png', buffer: Buffer.alloc(2 * MiB, 7) }
const text = (name: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(name) })
/** A large file on the disk: without JavaScript in the page, the driver passes it by its path only. */
async function stored(name: string, bytes: number): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'holdpoint-files-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await writeFile(join(folder, name), Buffer.alloc(bytes, 7))
  return join(folder, name)
}
const button = (page: Page, action: string) => page.locator(`button[value=${action}]`)
const press = (page: Page, action: string) => Promise.all([page.waitForEvent('load'), button(page, action).tap()])
const field = (page: Page, id: string) => page.locator(`[id="f.${id}"]`)
const shot = async (page: Page, name: string) => {
  const shots = process.env.HOLDPOINT_SHOTS
  if (shots) await page.screenshot({ path: `${shots}/${name}.png`, fullPage: true })
}

test('files are sent from a phone without JavaScript, and a rejected one does not lose the others', async () => {
  const { context, asking, url } = await ask()
  const phone = await world.browser.newContext(PHONE)
  const page = await phone.newPage()
  await page.goto(url)
  await shot(page, 'files-empty')
  await field(page, 'notes').fill('It was dark.')
  await field(page, 'photo').setInputFiles(text('photo.txt'))
  await field(page, 'more').setInputFiles([text('a.txt'), text('b.txt')])
  await press(page, 'submit')
  await expect.poll(() => page.locator('[id="f.photo-e"]').textContent()).toContain('photo.txt')
  expect(await page.locator('[id="f.title-e"]').count()).toBe(1)
  expect(await field(page, 'notes').inputValue()).toBe('It was dark.')
  expect(await page.locator('input[type=checkbox]:checked').count()).toBe(2)
  await shot(page, 'files-wrong')
  await page.locator('input[type=checkbox]').first().uncheck()
  await field(page, 'title').fill('Dent')
  await field(page, 'photo').setInputFiles(photo)
  await press(page, 'submit')
  await page.getByRole('heading', { name: 'You answered this' }).waitFor()
  const outcome = (await asking) as unknown as { input: { photo: { handle: string } } }
  expect(outcome).toMatchObject({
    outcome: 'submitted',
    input: {
      title: 'Dent',
      notes: 'It was dark.',
      photo: { name: photo.name, size: 2 * MiB },
      more: [{ name: 'b.txt' }],
    },
  })
  expect(Buffer.compare(Buffer.from((await context.upload(outcome.input.photo.handle)).bytes), photo.buffer)).toBe(0)
  await page.reload()
  await page.getByRole('heading', { name: 'You answered this' }).waitFor()
  await phone.close()
}, 60_000)

test('a photo that is far too large leads to an error at its field, and not to a broken connection', async () => {
  const { url } = await ask()
  const phone = await world.browser.newContext(PHONE)
  const page = await phone.newPage()
  await page.goto(url)
  await field(page, 'title').fill('Dent')
  await field(page, 'photo').setInputFiles(await stored('huge.png', 30 * MiB))
  await field(page, 'more').setInputFiles([await stored('c.bin', 1_000_001)])
  await press(page, 'submit')
  expect(await page.locator('[id="f.photo-e"]').textContent()).toContain('10.5 MB')
  expect(await page.locator('[id="f.more-e"]').textContent()).toContain('1 MB')
  expect(await field(page, 'title').inputValue()).toBe('Dent')
  await phone.close()
}, 60_000)

test('a questionnaire with files is answered step by step, with Back', async () => {
  const { asking, url } = await ask({ presentation: 'questionnaire' })
  const phone = await world.browser.newContext(PHONE)
  const page = await phone.newPage()
  await page.goto(url)
  await field(page, 'title').fill('Dent')
  await press(page, 'next')
  await field(page, 'photo').setInputFiles(photo)
  await field(page, 'more').setInputFiles([text('a.txt')])
  await press(page, 'next')
  await shot(page, 'files-summary')
  expect(await page.locator('dl').textContent()).toContain(photo.name)
  await press(page, 'back')
  await shot(page, 'files-back')
  expect(await page.locator('input[type=checkbox]:checked').count()).toBe(2)
  await press(page, 'next')
  await press(page, 'submit')
  expect(await asking).toMatchObject({ input: { photo: { name: photo.name }, more: [{ name: 'a.txt' }] } })
  await phone.close()
}, 60_000)

test.each([
  ['light', 'en'],
  ['dark', 'ar'],
] as const)(
  'a page with uploaded files in %s and %s has no accessibility problem and fits a phone',
  async (colorScheme, locale) => {
    const { url } = await ask()
    const phone = await world.browser.newContext({ ...PHONE, javaScriptEnabled: true, colorScheme, locale })
    const page = await phone.newPage()
    await page.goto(url)
    await field(page, 'more').setInputFiles([text(`${'very-long-name-'.repeat(12)}.txt`), text('ملف.txt')])
    await field(page, 'photo').setInputFiles(text('photo.txt'))
    await press(page, 'submit')
    await shot(page, `files-${colorScheme}-${locale}`)
    expect(await accessibilityProblems(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
    await phone.close()
  },
  60_000,
)
