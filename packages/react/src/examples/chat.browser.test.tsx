import { reportFlow } from '@holdpoint/core/internal'
import { StrictMode } from 'react'
import { expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { loadParts } from '../base/on-demand.ts'
import { ToolInteraction } from '../interaction-view/tool-interaction.tsx'
import { StoryFrame } from '../testing/story-frame.tsx'
import '../styles/styles.css'
import { createChat } from './chat.tsx'

const card = (id: string) => document.querySelector<HTMLElement>(`[data-interaction-id="${id}"]`)
const inside = (id: string, slot: string) => card(id)?.querySelector<HTMLElement>(`[data-slot="${slot}"]`)

async function open() {
  const { client, server } = createChat()
  // A page that has been idle: `cards-on-demand.test.ts` is about one that has not.
  await loadParts()
  await render(
    <StrictMode>
      <StoryFrame client={client}>
        {['connect', 'form', 'delete', 'edit'].map((id) => (
          <ToolInteraction key={id} toolCallId={id} />
        ))}
      </StoryFrame>
    </StrictMode>,
  )
  await expect.poll(() => document.querySelectorAll('[data-slot="card"]').length).toBe(4)
  const answered = () => server.messages.filter((message) => message.type === 'tool_interaction_response')
  return { client, server, answered }
}

test('edited arguments are sent once to the real client, and shown as decided', async () => {
  const { answered } = await open()
  await userEvent.click(inside('delete', 'edit')!)
  // The editor is loaded when it is first needed.
  await expect.poll(() => inside('delete', 'edit-as')).not.toBeNull()
  await userEvent.click(inside('delete', 'edit-as')!)
  await userEvent.fill(inside('delete', 'argument-editor')!, '{ "files": ["drafts/notes.md"]')
  expect(inside('delete', 'approve')?.getAttribute('aria-disabled')).toBe('true')
  await userEvent.fill(inside('delete', 'argument-editor')!, '{ "files": ["drafts/notes.md"] }')
  expect(inside('delete', 'approve')?.textContent).toBe('Delete 3 files with changesJust this time')
  inside('delete', 'approve')!.scrollIntoView()
  await expect.poll(() => inside('delete', 'approve')?.dataset.armed).toBe('true')
  await userEvent.dblClick(inside('delete', 'approve')!)
  await expect.poll(() => card('delete')?.dataset.state).toMatch(/answered-here|approved-still-running/)
  expect(answered()).toMatchObject([{ action: 'approve', approvalScope: 'once', args: { files: ['drafts/notes.md'] } }])
  expect(answered()).toHaveLength(1)
})

test('hunks are accepted or rejected one by one with the real client', async () => {
  const { answered } = await open()
  await userEvent.click(page.elementLocator(card('edit')!).getByRole('radio', { name: 'Reject' }).nth(1))
  expect(inside('edit', 'approve')?.textContent).toBe('Apply 2 of 3 changes')
  inside('edit', 'approve')!.scrollIntoView()
  await expect.poll(() => inside('edit', 'approve')?.dataset.armed).toBe('true')
  await userEvent.click(inside('edit', 'approve')!)
  await expect.poll(answered).toMatchObject([{ diffDecisions: { h1: 'accept', h2: 'reject', h3: 'accept' } }])
})

test('a reprompt of the real client uses the same surface with the same input, and is answered', async () => {
  const { answered } = await open()
  const field = (id: string, name: string) => card(id)?.querySelector<HTMLInputElement>(`[name="${name}"]`)
  await userEvent.fill(field('form', 'email')!, 'ada@exmaple.com')
  await userEvent.fill(field('form', 'copies')!, '4')
  await userEvent.keyboard('{Enter}')
  await expect.poll(() => card('form-2')?.dataset.state).toBe('reprompted')
  expect(card('form')).toBeNull()
  expect(field('form-2', 'copies')?.value).toBe('4')
  expect(card('form-2')?.textContent).toContain('No mail server answers at exmaple.com.')
  await userEvent.fill(field('form-2', 'email')!, 'ada@example.com')
  await userEvent.keyboard('{Enter}')
  await expect.poll(() => card('form-2')?.dataset.state).toBe('answered-here')
  expect(answered().map(({ input }) => input)).toEqual([
    { email: 'ada@exmaple.com', copies: 4 },
    { email: 'ada@example.com', copies: 4 },
  ])
})

test('accounts are connected in other windows with the real client, and the server decides the result', async () => {
  await open()
  vi.spyOn(window, 'open').mockReturnValue({
    closed: false,
    close() {},
    opener: null,
    location: { replace() {} },
  } as never)
  const row = (name: string) => card('connect')?.querySelector<HTMLElement>(`[data-integration="${name}"]`)
  for (const name of ['slack', 'gmail']) {
    await userEvent.click(row(name)!.querySelector('[data-slot="connect"]')!)
    await expect.poll(() => row(name)?.dataset.status).toBe('waiting')
    reportFlow(`flow-${name}`, 'connected')
    if (name === 'slack') await expect.poll(() => inside('connect', 'progress')?.textContent).toBe('1 of 2 connected')
  }
  await expect.poll(() => inside('connect', 'outcome')?.textContent).toContain('Connected. The task continues.')
  vi.restoreAllMocks()
})
