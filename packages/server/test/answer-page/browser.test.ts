import type { BrowserContextOptions } from 'playwright-core'
import { expect, test } from 'vitest'
import { buildPage } from '../tabs/app.ts'
import { accessibilityProblems } from './accessibility.ts'
import { startInBrowser } from './in-browser.ts'

/** The pages in a real browser: without JavaScript, on a phone, light, dark and right to left. */
const PHONE: BrowserContextOptions = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }

const ada = { userId: 'ada' }
const world = startInBrowser(buildPage)
let calls = 0

async function ask(id: string, asked: object = {}) {
  const toolCallId = asked && 'toolCallId' in asked ? String(asked.toolCallId) : `answer-page-${++calls}`
  const context = world.app.holdpoint
    .session(id, ada)
    .toolCall({ runId: `run-${toolCallId}`, toolCallId, toolName: 'delete_files' })
  const args = { files: ['a.md', 'b.md'], why: 'They are old.' }
  const asking =
    'fields' in asked
      ? context.tryAsk(asked as never)
      : context.tryApprove({ prompt: 'Delete 3 files?', args, ...asked })
  let interactionId: string | undefined
  while (!interactionId) {
    const { interactions } = await world.app.holdpoint.interactions.list({ sessionId: id })
    interactionId = interactions.find((one) => one.toolCallId === toolCallId)?.interactionId
  }
  const url = world.pages.linkUrl(await world.app.holdpoint.links.create({ interactionId, userId: 'ada' }))
  return { asking, interactionId, url }
}

test('an answer by a link on a phone without JavaScript is shown in the open tab within a second', async () => {
  const { asking, url } = await ask('desk', { toolCallId: 'call-1' })
  const desk = await world.browser.newPage({ extraHTTPHeaders: { cookie: 'user=ada' } })
  await desk.goto(`${world.app.url}/?id=desk`)
  await desk.getByRole('button', { name: 'Approve' }).waitFor()
  const context = await world.browser.newContext({ ...PHONE, javaScriptEnabled: false })
  const phone = await context.newPage()
  await phone.goto(url)
  await phone.getByRole('button', { name: 'Approve' }).tap()
  const at = performance.now()
  await desk.getByText('Delete 3 files? You approved this (on another device).', { exact: true }).waitFor()
  const afterMs = performance.now() - at
  await phone.getByRole('heading', { name: 'You approved this' }).waitFor()
  expect(await asking).toMatchObject({ outcome: 'approved' })
  expect(afterMs).toBeLessThan(1_000)
  await phone.reload()
  await phone.goBack()
  await context.close()
  await desk.close()
}, 60_000)

const form = {
  prompt: 'Where shall it go?',
  fields: [
    { id: 'name', type: 'text', label: 'Name', required: true, description: 'As on the door.' },
    { id: 'notes', type: 'textarea', label: 'Notes' },
    { id: 'copies', type: 'integer', label: 'Copies', defaultValue: 1 },
    { id: 'at', type: 'datetime', label: 'When' },
    { id: 'size', type: 'select', label: 'Size', options: [{ value: 's', label: 'Small' }] },
    { id: 'color', type: 'radio', label: 'Color', options: [{ value: 'r', label: 'Red' }] },
    { id: 'gift', type: 'checkbox', label: 'Gift wrap' },
  ],
}
const diff = [
  {
    path: 'config.json',
    hunks: [{ id: 'h', oldStart: 1, newStart: 1, lines: [' {', '-  "port": 80', '+  "port": 443', ' }'] }],
  },
]

test.each([
  ['light', 'en', 'approval'],
  ['dark', 'en', 'approval'],
  ['light', 'ar', 'approval'],
  ['light', 'de', 'form'],
  ['dark', 'ar', 'form'],
] as const)(
  'a page in %s and %s with the %s has no accessibility problem and fits a phone',
  async (scheme, locale, kind) => {
    const facts = [{ label: 'Cannot be undone', tone: 'danger' }]
    const { url } = await ask(
      `axe-${scheme}-${locale}-${kind}`,
      kind === 'form' ? form : { diff, facts, scopes: ['once', 'session'], rememberAs: 'k' },
    )
    const context = await world.browser.newContext({ ...PHONE, colorScheme: scheme, locale })
    const page = await context.newPage()
    await page.goto(url)
    if (kind === 'form') {
      await page.locator('button[value=submit]').tap()
      await page.getByRole('alert').waitFor()
    }
    const shots = process.env.HOLDPOINT_SHOTS
    if (shots) await page.screenshot({ path: `${shots}/answer-${kind}-${scheme}-${locale}.png`, fullPage: true })
    expect(await accessibilityProblems(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    await context.close()
  },
  60_000,
)

test('a double tap and a reload after the answer record one answer', async () => {
  const { asking, url, interactionId } = await ask('double')
  const context = await world.browser.newContext({ ...PHONE, javaScriptEnabled: false })
  const page = await context.newPage()
  await page.goto(url)
  await page.getByRole('button', { name: 'Deny' }).dblclick()
  await page.getByRole('heading', { name: 'You denied this' }).waitFor()
  await page.reload()
  expect(await asking).toMatchObject({ outcome: 'denied' })
  const record = await world.app.holdpoint.interactions.get({ interactionId, sessionId: 'double' })
  expect(record?.answer?.by).toEqual({ userId: 'ada', clientId: 'answer-link' })
  await context.close()
}, 60_000)
