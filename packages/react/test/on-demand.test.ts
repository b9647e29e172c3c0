import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { loadedFiles, visitsOf } from './split-page.ts'

/** The parts of a card that are loaded on demand, in a page as a bundler makes it: an entry and its chunks. */
const app = `
import { createRoot } from 'react-dom/client'
import { ApprovalDialog, AuthRequestCard, HoldpointProvider, InputForm, useAttention } from './index.ts'
import { fakeClient } from './testing/fake-client.ts'
import { approval, connect, diff, form } from './testing/interactions.ts'
const fieldsOf = (type) => [{ id: 'key', type, label: 'API key' }, { id: 'name', type: 'text', label: 'Name' }]
const root = createRoot(document.getElementById('root'))
window.ask = (id, type) => root.render(
  <HoldpointProvider><InputForm key={id} interaction={form({ interactionId: id, request: { inputSchema: { type: 'form', fields: fieldsOf(type) } } })} /></HoldpointProvider>
)
const changes = approval({ request: { args: undefined, diff } })
window.client = fakeClient({ interactions: [changes] })
window.askDiff = () => root.render(
  <HoldpointProvider client={client}><ApprovalDialog interaction={changes} /></HoldpointProvider>
)
const Waiting = () => <output>{useAttention().text}</output>
const accounts = connect({ request: { integrations: ['slack'] } })
window.askConnect = () => {
  window.client = fakeClient({ interactions: [accounts] })
  root.render(<HoldpointProvider client={client}><AuthRequestCard interaction={accounts} /></HoldpointProvider>)
}
if (location.hash === '#diff') window.askDiff()
else if (location.hash === '#connect') window.askConnect()
else if (location.hash === '#waiting') root.render(<HoldpointProvider client={client}><Waiting /></HoldpointProvider>)
else window.ask('first', location.hash.slice(1))
`

const visit = visitsOf(app, 'secret')

const focused = (page: Page) => page.evaluate('document.activeElement?.name ?? null')
const password = 'input[type="password"]'
const reveal = '[data-slot="reveal"]'

describe('a part of a card that is loaded on demand', () => {
  test('loads under a strict content security policy, and later cards have it without a network request', async () => {
    const net = { blocked: false }
    const { page, complaints } = await visit(net)
    await page.locator(reveal).waitFor()
    net.blocked = true
    await page.context().setOffline(true)
    await page.evaluate('ask("second", "secret")')
    await page.locator(`[data-interaction-id="second"] ${reveal}`).waitFor()
    expect(complaints).toEqual([])
  })

  test('is loaded when the page is idle, before a card needs it', async () => {
    const net = { blocked: false }
    const { page } = await visit(net, 'text')
    await expect.poll(() => page.evaluate(loadedFiles), { timeout: 15_000 }).toContain('controls')
    net.blocked = true
    await page.context().setOffline(true)
    await page.evaluate('ask("second", "secret")')
    await page.locator(reveal).waitFor()
  })

  test('is not requested while the browser is offline, and loads when the network is back', async () => {
    const { page } = await visit({ blocked: false }, 'text', true)
    await page.evaluate('ask("second", "secret")')
    await page.locator('[data-slot="loading"][aria-busy="true"]').waitFor({ state: 'attached' })
    const name = page.locator('input[name="name"]')
    await name.fill('Ada')
    const before = await name.boundingBox()
    await page.context().setOffline(false)
    await page.locator(reveal).waitFor()
    expect(await focused(page)).toBe('name')
    expect(await name.inputValue()).toBe('Ada')
    expect((await name.boundingBox())?.y).toBeCloseTo(before!.y, 0)
  })

  test('is replaced by a text field if it cannot be loaded: a secret stays hidden, and can be answered', async () => {
    const { page, complaints } = await visit({ blocked: true })
    await page.locator(password).fill('s3cret')
    expect(await page.locator(reveal).count()).toBe(0)
    expect(complaints).toEqual([])
  })

  test('is replaced by a notice with a retry button if a text field cannot replace it', async () => {
    const { page } = await visit({ blocked: true }, 'file')
    await page.locator('[data-slot="loading"] [data-slot="retry"]').press('Enter')
    expect(await page.locator('[data-slot="loading"]').textContent()).toContain('This part was not loaded.')
    await page.locator('input[name="name"]').fill('Ada')
  })

  test('shows changes as text if the diff viewer cannot be loaded, and they can be approved', async () => {
    const { page, complaints } = await visit({ blocked: true }, 'diff')
    const changes = page.locator('[data-slot="diff"]')
    await changes.waitFor()
    const lines: string[] = await page.evaluate(
      'client.getSnapshot().interactions.get("q1").request.diff.flatMap((file) => [file.path, ...file.hunks.flatMap((hunk) => hunk.lines)])',
    )
    const text = (await changes.textContent()) ?? ''
    expect(lines.filter((line) => !text.includes(line))).toEqual([])
    await page.locator('[data-slot="approve"]').press('Enter')
    const sent = 'client.calls.filter(({ method }) => method === "respond").map(({ args }) => args[1].action)'
    expect(await page.evaluate(sent)).toEqual(['approve'])
    expect(complaints).toEqual([])
  })

  test('replaces the changes as text by the diff viewer, without taking the focus from the card', async () => {
    const { page } = await visit({ blocked: false }, 'text', true)
    await page.evaluate('askDiff()')
    const deny = page.locator('[data-slot="deny"]')
    await deny.focus()
    expect(await page.locator('[data-slot="diff-hunk"]').count()).toBe(0)
    await page.context().setOffline(false)
    await page.locator('[data-slot="diff-hunk"]').first().waitFor()
    expect(await page.evaluate('document.activeElement?.dataset.slot')).toBe('deny')
  })

  test('connects an account by a link where the code that watches a window could not be loaded', async () => {
    const { page, complaints } = await visit({ blocked: true }, 'connect')
    await page.locator('[data-slot="connect"]').press('Enter')
    const link = page.locator('[data-slot="connect-link"]')
    expect(await link.getAttribute('href')).toBe('https://accounts.slack.example/authorize')
    expect(complaints).toEqual([])
  })

  test('opens the window in the same press, if the code comes with it', async () => {
    const { page } = await visit({ blocked: false }, 'connect')
    const opened = page.waitForEvent('popup')
    await page.locator('[data-slot="connect"]').press('Enter')
    await opened
    await page.locator('[data-slot="open-again"]').waitFor()
  })

  test('opens the window in the press, and its address once the code is there', async () => {
    const { page } = await visit({ blocked: false }, 'text', true)
    let arrive = () => {}
    const arrived = new Promise<void>((resolve) => {
      arrive = resolve
    })
    await page.route(/internal-connect/, (route) => arrived.then(() => route.continue()))
    await page.context().route('https://accounts.slack.example/**', (route) => route.fulfill({ body: 'Slack' }))
    await page.evaluate('askConnect()')
    await page.context().setOffline(false)
    const opened = page.waitForEvent('popup')
    await page.locator('[data-slot="connect"]').press('Enter')
    const popup = await opened
    expect(popup.url()).toBe('about:blank')
    expect(await page.locator('[data-slot="row"]').getAttribute('data-status')).toBe('opening')
    arrive()
    await popup.waitForURL('https://accounts.slack.example/authorize')
    await page.locator('[data-slot="open-again"]').waitFor()
    expect(page.context().pages()).toHaveLength(2)
  })

  test('closes the window of the press if the code cannot be loaded', async () => {
    const { page } = await visit({ blocked: true }, 'connect')
    const opened = page.waitForEvent('popup')
    await page.locator('[data-slot="connect"]').press('Enter')
    const popup = await opened
    await page.locator('[data-slot="connect-link"]').waitFor()
    expect(popup.isClosed()).toBe(true)
  })

  test('counts and announces the questions that it cannot name', async () => {
    const { page } = await visit({ blocked: true }, 'waiting')
    const live = page.locator('[data-slot="live"]')
    await expect.poll(() => live.textContent()).toBe('1 question is waiting')
    expect(await page.locator('output').textContent()).toBe('1 question is waiting')
  })

  test('names and announces the question once it is loaded', async () => {
    const { page } = await visit({ blocked: false }, 'waiting')
    const live = page.locator('[data-slot="live"]')
    await expect.poll(() => live.textContent()).toMatch(/^A question is waiting: ./)
    await expect.poll(() => page.locator('output').textContent()).toMatch(/^A question is waiting: ./)
  })
})
