import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import axe from 'axe-core'
import { afterEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { SettingsPage } from '../examples/settings-page.tsx'
import { arabic } from '../locales/ar.ts'
import { german } from '../locales/de.ts'
import { show } from '../testing/render.tsx'
import { settingsServer } from '../testing/settings-server.ts'
import { RememberedApprovals } from './remembered-approvals.tsx'

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
const section = (name: string) => document.querySelector<HTMLElement>(`[data-slot="${name}"]`)!
const said = (name: string) => section(name).querySelector('[data-slot="settings-said"]')!.textContent
const rows = (name: string) => [...section(name).querySelectorAll('li')].map(({ textContent }) => textContent)

const address = location.href
afterEach(() => {
  history.replaceState(null, '', address)
  document.documentElement.style.cssText = ''
  document.documentElement.removeAttribute('dir')
})

async function start(provider = {}, server = {}) {
  return startWith(settingsServer(server), provider)
}

async function startWith(server: ReturnType<typeof settingsServer>, provider: object) {
  await show(<SettingsPage server={server} />, { provider })
  await expect.poll(() => rows('remembered-approvals')).toHaveLength(2)
  await expect.poll(() => rows('tool-settings')).toHaveLength(2)
  await expect.poll(() => rows('connected-accounts')).toHaveLength(3)
  return server
}

test('a remembered approval is revoked, the page reports it, and focus stays on the page', async () => {
  const server = await start()
  expect(rows('remembered-approvals')[0]).toMatch(/Delete files.*drafts\/a\.md.*Always/s)
  expect(rows('remembered-approvals')[1]).toMatch(/Send e-mail.*ada@example\.com.*In one chat: Quarterly report/s)
  await userEvent.click(page.getByRole('button', { name: /^Ask me again: Delete files/ }))
  await expect.poll(() => rows('remembered-approvals')).toHaveLength(1)
  expect(server.changes).toEqual([
    {
      path: '/approvals/revoke',
      body: { toolName: 'delete_files', key: { files: ['drafts/a.md', 'drafts/b.md'] } },
    },
  ])
  await expect.poll(() => said('remembered-approvals')).toBe('The assistant will ask you again: Delete files')
  await expect.poll(() => document.activeElement?.textContent).toBe('Remembered approvals')
})

test('two presses in the same tick send one change', async () => {
  const server = await start()
  const button = section('remembered-approvals').querySelector('button')!
  button.click()
  button.click()
  await expect.poll(() => rows('remembered-approvals')).toHaveLength(1)
  expect(server.changes).toHaveLength(1)
})

test('a change that the server rejected is reported, and the list shows the state of the server', async () => {
  const server = await start()
  server.fails(true)
  await userEvent.click(page.getByRole('button', { name: /^Ask me again: Delete files/ }))
  await expect.poll(() => said('remembered-approvals')).toBe('Not saved. Try again.')
  expect(rows('remembered-approvals')).toHaveLength(2)
  await userEvent.selectOptions(page.getByLabelText('Call system'), 'Never ask')
  await expect.poll(() => said('tool-settings')).toBe('Not saved. Try again.')
  await expect.poll(() => section('tool-settings').querySelector('select')!.value).toBe('')
})

test('a tool setting can be selected by its name, and reset to the decision of the tool', async () => {
  const server = await start()
  await userEvent.selectOptions(page.getByLabelText('Call system'), 'Ask, but not for reading')
  await expect.poll(() => said('tool-settings')).toBe('Saved. Call system: Ask, but not for reading')
  await expect.poll(() => section('tool-settings').querySelector('select')!.value).toBe('reads')
  await userEvent.selectOptions(page.getByLabelText('Call system'), 'As the tool decides')
  await expect.poll(() => server.changes.at(-1)?.body).toEqual({ toolName: 'call_system', choice: null })
})

test('an account is shown with its user and permissions, and disconnected', async () => {
  await start()
  expect(rows('connected-accounts')[0]).toContain('Connected as ada@example.com')
  expect(rows('connected-accounts')[0]).toContain('Permissions: chat:write, channels:read')
  await userEvent.click(page.getByRole('button', { name: 'Disconnect Slack' }))
  await expect.poll(() => said('connected-accounts')).toBe('Slack is disconnected.')
  await expect.poll(() => rows('connected-accounts')[0]).toContain('Not connected')
})

test('an account is connected on the page of its service, and the page says how that ended', async () => {
  const back = (query: string) => `${location.href.split('#')[0]}#${query}`
  const server = await start({}, { connectUrl: (integration: string) => back(`at-${integration}`) })
  expect(rows('connected-accounts')[2]).toContain('Reconnect Google Calendar')
  await userEvent.click(page.getByRole('button', { name: 'Connect Gmail' }))
  await expect.poll(() => location.hash).toBe('#at-gmail')
  expect(server.changes.at(-1)).toEqual({
    path: '/accounts/connect',
    body: { integration: 'gmail', returnTo: expect.stringContaining(location.origin) },
  })
})

test.each([
  ['javascript:alert(1)', 'a script'],
  ['http://slack.example/', 'an address without encryption'],
  ['', 'nothing'],
])('the page is not left for %s', async (url) => {
  await start({}, { connectUrl: () => url })
  const before = location.href
  await userEvent.click(page.getByRole('button', { name: 'Connect Gmail' }))
  await expect.poll(() => said('connected-accounts')).toBe('Not saved. Try again.')
  expect(location.href).toBe(before)
})

test.each([
  ['auth_complete=slack', 'Slack: Connected'],
  ['auth_failed=gmail&auth_error=access_denied', 'Gmail was not allowed to connect. Nothing was shared.'],
  ['auth_failed=gmail', 'Gmail could not be connected.'],
])('the page says once how the visit at a service ended: %s', async (query, sentence) => {
  history.replaceState(null, '', `?keep=1&${query}&flow_id=f`)
  await start()
  await expect.poll(() => said('connected-accounts')).toBe(sentence)
  expect(location.search).toBe('?keep=1')
})

test('an address that only claims that an account is connected says nothing, and a run keeps its parameters', async () => {
  history.replaceState(null, '', '?auth_complete=gmail&flow_id=f')
  await start()
  await expect.poll(() => location.search).toBe('')
  expect(said('connected-accounts')).toBe('')
  history.replaceState(null, '', '?auth_complete=slack&generation_id=run-1')
  await start()
  expect(said('connected-accounts')).toBe('')
  expect(location.search).toBe('?auth_complete=slack&generation_id=run-1')
})

test.each([
  ['light', {}, ''],
  ['dark', {}, 'color-scheme: dark; background: #121315; color: #ececef'],
  ['German', { messages: german, locale: 'de' }, ''],
  ['Arabic', { messages: arabic, locale: 'ar', dir: 'rtl' }, ''],
] as const)(
  'the page has no accessibility violation and no horizontal scrolling on a phone: %s',
  async (_name, provider, style) => {
    await page.viewport(320, 700)
    document.documentElement.style.cssText = style
    await start(provider)
    const { violations } = await axe.run(document.body, { runOnly: RULES, rules: { 'target-size': { enabled: true } } })
    expect(violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`))).toEqual([])
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(320)
    await page.viewport(1280, 900)
  },
)

test('all pages of the remembered approvals are listed, newest first', async () => {
  const one = (toolName: string, day: number) => ({
    ...{ toolName, key: 'k', scope: 'always', approvedAt: new Date(Date.UTC(2026, 0, day)).toISOString() },
  })
  const pages: Record<string, object> = {
    '/holdpoint/approvals': { approvals: [one('first', 2)], next: 'a b' },
    '/holdpoint/approvals?next=a%20b': { approvals: [one('second', 3), one('third', 1)] },
  }
  const fetch = (async (url: string) => Response.json(pages[url])) as typeof globalThis.fetch
  await show(
    <QueryClientProvider client={new QueryClient()}>
      <RememberedApprovals url="/holdpoint" fetch={fetch} />
    </QueryClientProvider>,
  )
  await expect
    .poll(() => rows('remembered-approvals').map((row) => /Second|First|Third/.exec(row)?.[0]))
    .toEqual(['Second', 'First', 'Third'])
})
