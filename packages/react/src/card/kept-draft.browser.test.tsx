import type { Interaction } from '@holdpoint/core'
import { afterEach, expect, test, vi } from 'vitest'
import { userEvent } from 'vitest/browser'
import { ToolInteraction } from '../interaction-view/tool-interaction.tsx'
import { fakeClient } from '../testing/fake-client.ts'
import { answered, approval, form } from '../testing/interactions.ts'
import { listen, part, show } from '../testing/render.tsx'

const field = (name: string) => document.querySelector<HTMLInputElement>(`[name="${name}"]`)!
const fields = [
  { id: 'name', type: 'text', label: 'Name' },
  { id: 'key', type: 'secret', label: 'API key' },
  { id: 'code', type: 'text', label: 'Code', autocomplete: 'one-time-code' },
] as const
const asked = form({ request: { inputSchema: { type: 'form', fields: [...fields] } } })
const you = { userId: 'ada', can: ['respond'] as never }

/** The frame of the tests has no storage. With undefined the provider uses its default, as in an application. */
const asInAnApp = { draftStorage: undefined } as unknown as { draftStorage: null }

/** A page with the session's question, on the storage of the browser, which outlives it. */
async function page(question: Interaction = asked) {
  const client = fakeClient({ interactions: [question], state: { you } })
  const { unmount } = await show(<ToolInteraction toolCallId="call-1" />, { client, provider: asInAnApp })
  return { client, unmount }
}
const stored = () => JSON.stringify({ ...sessionStorage })

afterEach(() => {
  sessionStorage.clear()
  vi.restoreAllMocks()
})

test('the input of a form survives a reload, and a secret is never stored', async () => {
  const { unmount } = await page()
  await userEvent.fill(field('name'), 'Ada')
  await userEvent.fill(field('key'), 'hunter2')
  await userEvent.fill(field('code'), '424242')
  expect(stored()).toContain('Ada')
  expect(stored()).not.toMatch(/hunter2|424242/)
  await unmount()
  const { client } = await page()
  expect([field('name').value, field('key').value, field('code').value]).toEqual(['Ada', '', ''])
  client.put({ ...answered(asked, { action: 'submit', input: {} }) })
  await expect.poll(stored).toBe('{}')
})

test('a reprompt takes over the draft', async () => {
  const { client, unmount } = await page()
  await userEvent.fill(field('name'), 'Ada')
  const next = form({ interactionId: 'q2', replaces: 'q1', request: { ...(asked.request as object), attempt: 2 } })
  client.put(next)
  await expect.poll(() => part('card').dataset.state).toBe('reprompted')
  expect(field('name').value).toBe('Ada')
  await expect.poll(stored).not.toContain('"q1')
  await unmount()
  await page({ ...next, replaces: undefined })
  expect(field('name').value).toBe('Ada')
})

test('edited arguments and their reason survive a reload', async () => {
  const { unmount } = await page(approval({ request: { editable: true } }))
  await userEvent.click(part('edit'))
  await userEvent.click(part('edit-as'))
  await userEvent.fill(part('argument-editor'), '{ "files": [] }')
  await unmount()
  await page(approval({ request: { editable: true } }))
  expect((part('argument-editor') as HTMLTextAreaElement).value).toBe('{ "files": [] }')
})

test('the input of an expired question can be copied, without the secret', async () => {
  const write = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
  const { client } = await page()
  await userEvent.fill(field('name'), 'Ada')
  await userEvent.fill(field('key'), 'hunter2')
  client.put({ ...asked, status: 'expired' })
  await expect.poll(() => document.querySelector('[data-slot="kept-draft"]')?.textContent).toContain('was not sent')
  const heard = listen()
  await userEvent.click(part('copy-draft'))
  expect(write.mock.calls).toEqual([['Name: Ada']])
  await expect.poll(() => part('copy-draft').textContent).toBe('Copied')
  expect(heard).toContain('Copied')
})

test('the input is shown in a text area for copying if the clipboard is not permitted', async () => {
  vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new DOMException('no', 'NotAllowedError'))
  const { client } = await page()
  await userEvent.fill(field('name'), 'Ada')
  client.put({ ...asked, status: 'cancelled' })
  await expect.poll(() => document.querySelector('[data-slot="copy-draft"]')).not.toBeNull()
  await userEvent.click(part('copy-draft'))
  await expect.poll(() => document.querySelector('textarea')?.value).toBe('Name: Ada')
})

test('an expired question without an input offers nothing to copy', async () => {
  await page({ ...asked, status: 'expired' })
  expect(part('outcome')).toBeDefined()
  expect(document.querySelector('[data-slot="kept-draft"]')).toBeNull()
})
