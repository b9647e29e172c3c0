import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createHoldpoint } from '@holdpoint/server'
import { memoryStore } from '@holdpoint/server/memory'
import { toNodeHandler } from '@holdpoint/server/node'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { launchChromium } from '../../../scripts/chromium.ts'
import { bundle, document, stylesheet } from './page.ts'

/** Cards in a browser, with the real client, over HTTP, from a real server: what timing alone can break. */
const app = `
import { createRoot } from 'react-dom/client'
import { createHoldpointClient, sse } from '@holdpoint/core'
import { useAttention } from './attention/use-attention.ts'
import { ToolInteraction } from './interaction-view/tool-interaction.tsx'
import { HoldpointProvider } from './settings/provider.tsx'
const client = createHoldpointClient({ sessionId: 'chat', transport: sse({ url: '/holdpoint' }) })
const Bell = () => <b>{useAttention().text}</b>
createRoot(document.getElementById('root')).render(
  <HoldpointProvider client={client}>
    <Bell /><ToolInteraction toolCallId="call" /><textarea aria-label="Message" />
  </HoldpointProvider>,
)
const seen = { states: [], spoken: [] }
window.seen = seen
new MutationObserver(() => {
  const state = document.querySelector('[data-slot="card"]')?.dataset.state
  if (state && seen.states.at(-1) !== state) seen.states.push(state)
  const text = document.querySelector('[data-slot="live"]')?.textContent.trim()
  if (text && seen.spoken.at(-1) !== text) seen.spoken.push(text)
}).observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true })
`

let browser: Browser
let html: string
beforeAll(async () => {
  browser = await launchChromium()
  html = document({ script: await bundle(app), style: stylesheet() })
}, 120_000)
afterAll(() => browser.close())

const open: { page?: Page; server?: Server; close?: () => Promise<void> } = {}
afterEach(async () => {
  await open.page?.context().close()
  await open.close?.()
  open.server?.closeAllConnections()
  open.server?.close()
})

async function start() {
  const holdpoint = createHoldpoint({ store: memoryStore(), authenticate: () => ({ userId: 'ada' }) })
  open.close = () => holdpoint.close()
  const handle = toNodeHandler(holdpoint)
  const server = createServer((request, response) => {
    if (request.url?.startsWith('/holdpoint')) return handle(request, response)
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  open.server = server
  const session = holdpoint.session('chat', { userId: 'ada' })
  const context = session.toolCall({ runId: 'run', toolCallId: 'call', toolName: 'invite' })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const page = await browser.newPage()
  open.page = page
  return { holdpoint, context, page, url }
}

const seen = (page: Page) =>
  page.evaluate(() => (window as never as { seen: { states: string[]; spoken: string[] } }).seen)

/** A tool judges an answer later than the server accepts it, and the page receives both events separately. */
const lookUp = () => new Promise((resolve) => setTimeout(resolve, 100))

test('a form that its tool rejects keeps its surface and focus, and the error is announced first', async () => {
  const { context, page, url } = await start()
  const result = context.requestInteraction({
    type: 'input',
    prompt: 'Who shall be invited?',
    whenUnavailable: 'wait',
    inputSchema: [
      { id: 'email', type: 'email', label: 'E-mail', required: true },
      { id: 'note', type: 'text', label: 'Note' },
    ],
    onResponse: async ({ action, input }) => {
      await lookUp()
      return action === 'submit' && !String(input.email).endsWith('@example.com')
        ? { reprompt: { fieldErrors: { email: ['Only addresses at example.com.'] } } }
        : { complete: input }
    },
  })
  await page.goto(url)
  await expect.poll(async () => (await seen(page)).spoken.join()).toContain('is waiting')
  await page.fill('[name="note"]', 'Hello')
  await page.fill('[name="email"]', 'ada@elsewhere.org')
  await page.keyboard.press('Enter')
  await page.waitForSelector('[data-slot="card"][data-state="reprompted"]')
  await page.waitForFunction(() => window.document.activeElement?.getAttribute('aria-invalid') === 'true')
  expect(await page.evaluate(() => window.document.activeElement?.getAttribute('name'))).toBe('email')
  await expect.poll(async () => (await seen(page)).spoken.join()).toContain('Only addresses')
  await page.waitForTimeout(600)
  const { states, spoken } = await seen(page)
  expect(states.filter((state) => state !== 'loading')).toEqual(['pending', 'submitting', 'reprompted'])
  expect(spoken.slice(1)[0]).toMatch(/^E-mail: Only addresses at example\.com\./)
  expect(spoken.join()).not.toContain('You answered this')
  await page.fill('[name="email"]', 'ada@example.com')
  await page.keyboard.press('Enter')
  expect(await result).toMatchObject({ email: 'ada@example.com', note: 'Hello' })
  await page.waitForSelector('[data-slot="card"][data-state="answered-here"]')
  await expect.poll(async () => (await seen(page)).spoken.at(-1)).toBe('You answered this')
})

test('an edit that its policy rejects keeps the card, and the reason is announced', async () => {
  const { context, page, url } = await start()
  const result = context.tryApprove({
    prompt: 'Pay?',
    args: { amount: 5000 },
    editable: true,
    policy: async ({ amount }) => {
      await lookUp()
      return amount >= 1000 || 'Not below 1000.'
    },
  })
  await page.goto(url)
  await page.click('[data-slot="edit"]')
  await page.getByRole('textbox', { name: 'Amount' }).fill('50')
  await page.waitForSelector('[data-slot="approve"][data-armed="true"]')
  await page.click('[data-slot="approve"]')
  await page.waitForSelector('[data-slot="card"][data-state="reprompted"]')
  await expect.poll(async () => (await seen(page)).spoken.join()).toContain('Not below 1000.')
  const { states, spoken } = await seen(page)
  expect(states.join()).not.toMatch(/answered-here|approved/)
  expect(spoken.join()).not.toContain('You approved')
  await page.click('[data-slot="deny"]')
  expect(await result).toMatchObject({ outcome: 'denied' })
})

describe('an edit from 5000 to 50 that its policy rejected [HP-ANS-9] [HP-SHN-4]', () => {
  const editor = '[data-slot="argument-fields"] input'
  const approve = async (page: Page) => {
    await page.waitForSelector('[data-slot="approve"][data-armed="true"]')
    await page.click('[data-slot="approve"]')
  }
  const amount = async (page: Page) => Number(await page.inputValue(editor))
  async function refusedEdit() {
    const { context, page, url } = await start()
    const result = context.tryApprove({
      prompt: 'Pay?',
      args: { amount: 5000 },
      editable: true,
      policy: ({ amount }) => amount >= 1000 || 'Not below 1000.',
    })
    await page.goto(url)
    await page.click('[data-slot="edit"]')
    await page.fill(editor, '50')
    await approve(page)
    await page.waitForSelector('[data-slot="card"][data-state="reprompted"]')
    expect(await amount(page)).toBe(50)
    await expect.poll(() => page.textContent('[data-slot="card"]')).toContain('Not below 1000.')
    return { page, result }
  }

  test('can be reset, and a plain approval runs the shown 5000', async () => {
    const { page, result } = await refusedEdit()
    await page.click('[data-slot="reset"]')
    expect(await amount(page)).toBe(5000)
    await approve(page)
    expect(await result).toMatchObject({ outcome: 'approved', args: { amount: 5000 }, edited: false })
  })

  test('can be corrected, and the shown amount runs', async () => {
    const { page, result } = await refusedEdit()
    await page.fill(editor, '2000')
    expect(await amount(page)).toBe(2000)
    await approve(page)
    expect(await result).toMatchObject({ outcome: 'approved', args: { amount: 2000 }, edited: true })
  })

  test('never runs, however often it is sent', async () => {
    const { page, result } = await refusedEdit()
    const refused = page.waitForResponse((response) => (response.request().postData() ?? '').includes('"amount":50'))
    await approve(page)
    expect((await refused).status()).toBe(200)
    await page.waitForFunction(
      () => window.document.querySelector('[data-slot="card"]')?.getAttribute('data-state') === 'reprompted',
    )
    expect(await amount(page)).toBe(50)
    await page.click('[data-slot="deny"]')
    expect(await result).toMatchObject({ outcome: 'denied' })
  })
})

test('the input of a form survives a reload', async () => {
  const { context, page, url } = await start()
  const result = context.tryAsk({ prompt: 'Who?', fields: [{ id: 'name', type: 'text', label: 'Name' }] })
  await page.goto(url)
  await page.fill('[name="name"]', 'Ada')
  await page.reload()
  await page.waitForSelector('[name="name"]')
  await expect.poll(() => page.inputValue('[name="name"]')).toBe('Ada')
  await page.click('[data-slot="submit"]')
  expect(await result).toMatchObject({ outcome: 'submitted', input: { name: 'Ada' } })
  await page.waitForSelector('[data-slot="card"][data-state="answered-here"]')
  expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage }))).toBe('{}')
})

test('a user can extend the deadline by default', async () => {
  const { context, page, url } = await start()
  const result = context.tryApprove({ prompt: 'Go?', timeoutMs: 60_000 })
  await page.goto(url)
  const extended = page.waitForResponse((response) =>
    (response.request().postData() ?? '').includes('extend_interaction'),
  )
  await page.click('[data-slot="extend"]')
  expect((await extended).status()).toBe(200)
  await page.click('[data-slot="deny"]')
  expect(await result).toMatchObject({ outcome: 'denied' })
})
