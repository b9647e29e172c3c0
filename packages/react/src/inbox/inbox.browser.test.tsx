import type { InboxPage, ToolInteractionResponseMessage } from '@holdpoint/core/internal'
import { shownDigest } from '@holdpoint/core/wire'
import { StrictMode } from 'react'
import { beforeEach, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { handClock } from '../testing/checks/hand-clock.ts'
import { answersOnly, inboxItems } from '../testing/inbox-items.ts'
import { approval, form, NOW } from '../testing/interactions.ts'
import { listen, part, show } from '../testing/render.tsx'
import { Inbox } from './inbox.tsx'

const two: InboxPage['items'] = [
  { sessionId: 'chat-1', interaction: { request: approval({ interactionId: 'a' }).request } },
  { sessionId: 'chat-2', interaction: { request: form({ interactionId: 'b' }).request } },
]
const rows = () => [...document.querySelectorAll<HTMLElement>('[role="option"]')]
const selected = () => document.querySelector('[role="option"][aria-selected="true"]')
const list = () => document.querySelector<HTMLElement>('[role="listbox"]')!
const focused = () => document.activeElement

beforeEach(() => page.viewport(1280, 900))

test('a question is selected in the list and answered next to it, and the answer is sent to its own session', async () => {
  const { sent, transport } = answersOnly()
  await show(
    <StrictMode>
      <Inbox undoMs={0} items={two} transport={transport} hrefOf={({ sessionId }) => `/chat/${sessionId}`} />
    </StrictMode>,
  )
  expect(rows().map(({ textContent }) => textContent)).toEqual([
    expect.stringContaining('Delete 3 files from the shared folder?'),
    expect.stringContaining('Where should the report go'),
  ])
  expect(document.querySelector('a')?.getAttribute('href')).toBe('/chat/chat-1')
  await userEvent.click(part('deny'))
  await expect
    .poll(() => sent)
    .toMatchObject([
      { sessionId: 'chat-1', message: { type: 'tool_interaction_response', interactionId: 'a', action: 'deny' } },
    ])
  await expect.poll(() => part('outcome').textContent).toContain('Denied: Delete 3 files · you')
  await userEvent.click(rows()[1]!)
  await expect.poll(() => focused()?.textContent).toContain('Where should the report go')
})

test('a row names the deadline of its question, or that the assistant continues and the question stays answerable', async () => {
  const expiresAt = new Date(NOW + 290_000).toISOString()
  const items = [{}, { answerableLater: true }].map((more, n) => ({
    sessionId: 'chat-1',
    interaction: {
      request: approval({ interactionId: `q${n}`, toolCallId: `c${n}`, request: { expiresAt, ...more } }).request,
    },
  }))
  await show(<Inbox undoMs={0} items={items} transport={answersOnly().transport} />, {
    provider: { clock: handClock(NOW) },
  })
  const due = () => [...document.querySelectorAll('.hp-inbox-due')].map(({ textContent }) => textContent)
  await expect
    .poll(due)
    .toEqual(['Answer within 5 minutes', 'The assistant continues in 5 minutes. You can answer later.'])
})

test('in an inbox owners may widen their approval, and users of an audience read why they cannot', async () => {
  const { request } = approval({ request: { approvalScopes: ['once', 'session'] } })
  const cardFor = async (can: NonNullable<InboxPage['items'][number]['you']>['can']) => {
    const items = [{ sessionId: 'chat-1', interaction: { request }, you: { userId: 'ada', can } }]
    const { unmount } = await show(<Inbox undoMs={0} items={items} transport={answersOnly().transport} />)
    const text = part('inbox').textContent
    await unmount()
    return text
  }
  expect(await cardFor(['respond', 'remember'])).not.toContain('not your chat')
  expect(await cardFor(['respond'])).toContain('because this is not your chat')
})

test('questions of one session have the rights of each, not those of the first', async () => {
  const scoped = (interactionId: string) =>
    approval({ interactionId, toolCallId: interactionId, request: { approvalScopes: ['once', 'session'] } }).request
  const items: InboxPage['items'] = [
    {
      sessionId: 'chat-1',
      interaction: { request: scoped('a') },
      you: { userId: 'ada', can: ['respond', 'remember'] },
    },
    { sessionId: 'chat-1', interaction: { request: scoped('b') }, you: { userId: 'ada', can: ['respond'] } },
  ]
  await show(<Inbox undoMs={0} items={items} transport={answersOnly().transport} />)
  expect(part('inbox').textContent).not.toContain('not your chat')
  await userEvent.click(rows()[1]!)
  await expect.poll(() => part('inbox').textContent).toContain('because this is not your chat')
})

test('thirty questions have one tab stop and fit the page, where a stack of cards had one for each control', async () => {
  const items = inboxItems(30)
  const { transport } = answersOnly()
  const { container } = await show(<Inbox undoMs={0} items={items} transport={transport} hrefOf={() => '#'} />)
  const stops = () =>
    [
      ...container.querySelectorAll<HTMLElement>('a[href], button, input, select, textarea, summary, [tabindex="0"]'),
    ].filter((one) => one.tabIndex >= 0 && one.checkVisibility()).length
  await expect.poll(() => rows().length).toBeGreaterThan(5)
  // A stack of these cards had 9,606 px and 173 tab stops for 22 questions.
  expect(stops()).toBeLessThanOrEqual(16)
  expect(part('inbox').getBoundingClientRect().height).toBeLessThanOrEqual(900)
  expect(list().getAttribute('aria-label')).toBe('Questions: 30')
  // By the Tab key itself, from before the inbox until focus has left it.
  const passed: Element[] = []
  for (part('inbox').focus(); ; passed.push(focused()!)) {
    await userEvent.tab()
    if (!part('inbox').contains(focused()) || passed.includes(focused()!)) break
  }
  expect(passed).toContain(list())
  expect(passed.length).toBeLessThanOrEqual(12)
})

test('arrow keys, Home and End move through all questions, Enter opens one, and the list has the focus until then', async () => {
  await show(<Inbox undoMs={0} items={inboxItems(30)} transport={answersOnly().transport} />)
  list().focus()
  await userEvent.keyboard('{End}')
  await expect.poll(() => selected()?.getAttribute('aria-posinset')).toBe('30')
  expect(list().getAttribute('aria-activedescendant')).toBe(selected()!.id)
  await userEvent.keyboard('{Home}{ArrowDown}{ArrowDown}{ArrowUp}')
  await expect.poll(() => selected()?.getAttribute('aria-posinset')).toBe('2')
  expect(focused()).toBe(list())
  const text = selected()!.querySelector('bdi')!.textContent
  await userEvent.keyboard('{Enter}')
  await expect.poll(() => focused()?.textContent).toBe(text)
  expect(part('inbox-detail').contains(focused())).toBe(true)
})

test('J and K move through the list like the arrow keys, and stay letters in the search and with another key held', async () => {
  await show(<Inbox undoMs={0} items={inboxItems(30)} transport={answersOnly().transport} />)
  const place = () => selected()?.getAttribute('aria-posinset')
  list().focus()
  await userEvent.keyboard('{Home}jjjk')
  await expect.poll(place).toBe('3')
  await userEvent.keyboard('{Control>}j{/Control}{Alt>}k{/Alt}')
  expect(place()).toBe('3')
  await userEvent.fill(page.getByLabelText('Search'), 'jk')
  await expect.poll(() => part('inbox').textContent).toContain('No question matches your search.')
})

test('of a thousand questions only those in view are in the document, and the last one is reached at once', async () => {
  await show(<Inbox undoMs={0} items={inboxItems(1_000)} transport={answersOnly().transport} />)
  await expect.poll(() => rows().length).toBeGreaterThan(5)
  expect(rows().length).toBeLessThan(40)
  list().focus()
  await userEvent.keyboard('{End}')
  await expect.poll(() => selected()?.getAttribute('aria-posinset')).toBe('1000')
  expect(rows().length).toBeLessThan(40)
})

test('a question that is settled keeps its row and the focus where it is, until the person hides it', async () => {
  const { transport } = answersOnly()
  let shown = [...two]
  const { again } = await show(() => <Inbox undoMs={0} items={shown} transport={transport} />)
  const before = rows().map((row) => row.getBoundingClientRect().top)
  part('deny').focus()
  await userEvent.keyboard('{Enter}')
  await expect.poll(() => focused()).toBe(part('outcome'))
  shown = [two[1]!]
  await again()
  expect(focused()).toBe(part('outcome'))
  expect(rows().map((row) => row.getBoundingClientRect().top)).toEqual(before)
  await expect.poll(() => rows()[0]!.textContent).toContain('You denied this')
  await userEvent.click(part('inbox-next'))
  await expect.poll(() => focused()?.textContent).toContain('Where should the report go')
  await userEvent.click(part('hide-settled'))
  await expect.poll(() => rows().length).toBe(1)
  await expect.poll(() => focused()).toBe(list())
  // It is kept in the history.
  await userEvent.selectOptions(page.getByLabelText('Show'), 'Answered')
  await expect.poll(() => rows().map(({ textContent }) => textContent)).toEqual([expect.stringContaining('You denied')])
})

test('search, filter, order and groups change what the list shows', async () => {
  await show(<Inbox undoMs={0} items={inboxItems(30)} transport={answersOnly().transport} />)
  const first = () => rows()[0]?.textContent ?? ''
  const label = () => list()?.getAttribute('aria-label')
  await userEvent.selectOptions(page.getByLabelText('Sort by'), 'Newest first')
  await expect.poll(first).toContain('reports/0.csv')
  await userEvent.selectOptions(page.getByLabelText('Show'), 'High risk')
  await expect.poll(label).toBe('Questions: 6')
  await userEvent.selectOptions(page.getByLabelText('Sort by'), 'Deadline')
  await expect.poll(first).toContain('orders_2?')
  await userEvent.selectOptions(page.getByLabelText('Show'), 'All waiting')
  await userEvent.selectOptions(page.getByLabelText('Group by'), 'Tool')
  await expect.poll(() => document.querySelector('.hp-inbox-group')?.textContent).toContain('Delete table')
  // The list names the group of a row, also if its heading is out of view.
  const group = rows()[0]!.closest('[role="group"]')
  expect(group?.getAttribute('aria-label')).toBe('Delete table, 6')
  expect(group?.querySelectorAll('[role="option"]').length).toBe(6)
  await userEvent.fill(page.getByLabelText('Search'), 'csv read')
  await expect.poll(label).toBe('Questions: 12')
  await userEvent.fill(page.getByLabelText('Search'), 'no such thing')
  await expect.poll(() => part('inbox').textContent).toContain('No question matches your search.')
})

test('similar requests of low risk are approved together after all are listed, and each has an outcome by name', async () => {
  const replies: Record<string, { status: number; body: unknown }> = {
    q5: { status: 409, body: { error: { code: 'already_answered', message: 'No.' } } },
    q6: { status: 501, body: {} },
  }
  const { sent, transport } = answersOnly((id) => replies[id])
  const items = inboxItems(30)
  await show(<Inbox undoMs={0} items={items} transport={transport} />)
  const heard = listen()
  await userEvent.click(page.getByRole('button', { name: 'Review all 12' }))
  const listed = () => [...part('inbox-batch').querySelectorAll('li')]
  await expect.poll(() => listed().length).toBe(12)
  // The page shows everything that will be sent, with its arguments.
  for (const n of [0, 1, 5, 6, 10, 11, 15, 16, 20, 21, 25, 26])
    expect(listed().filter(({ textContent }) => textContent?.includes(`reports/${n}.csv`)).length).toBe(1)
  expect(sent).toEqual([])
  // Twice in the same tick.
  const press = part('approve-all')
  press.click()
  press.click()
  await expect.poll(() => sent.length).toBe(12)
  const messages = sent.map(({ message }) => message as ToolInteractionResponseMessage)
  expect(new Set(messages.map(({ answerId }) => answerId)).size).toBe(12)
  for (const { interactionId, shownDigest: shown } of messages) {
    const item = items.find(({ interaction }) => interaction.request.interactionId === interactionId)!
    expect(shown).toBe(shownDigest(item.interaction.request as never))
  }
  const outcomes = () => listed().map((one) => one.dataset.outcome)
  await expect.poll(() => outcomes().filter((one) => one === 'accepted').length).toBe(10)
  const of = (n: number) => listed().find(({ textContent }) => textContent?.includes(`reports/${n}.csv`))!.textContent
  expect(of(5)).toContain('Not approved: the question had already ended')
  expect(of(6)).toContain('Not sent')
  await expect.poll(() => heard).toContain('10 of 12 approved')
  // Only the unsent answer can be sent again.
  delete replies.q6
  await expect.poll(() => part('approve-all').textContent).toBe('Send 1 again')
  part('approve-all').focus()
  await userEvent.keyboard('{Enter}')
  await expect.poll(() => sent.length).toBe(13)
  const [again] = sent.slice(-1).map(({ message }) => message as ToolInteractionResponseMessage)
  expect(again!.answerId).toBe(messages.find(({ interactionId }) => interactionId === 'q6')!.answerId)
})

test('an empty inbox states that no question is open', async () => {
  await show(<Inbox undoMs={0} items={[]} transport={answersOnly().transport} />)
  expect(part('inbox').textContent).toContain('Nothing is waiting for you.')
})

test('a task that is stopped in the inbox ends its question at once, and a question that is opened is in view', async () => {
  await page.viewport(900, 500)
  const items = inboxItems(5)
  const { sent, transport } = answersOnly((id) => (id ? undefined : { status: 200, body: { status: 'cancelled' } }))
  const onAnswered = vi.fn()
  await show(
    <div style={{ paddingBlock: 900 }}>
      <Inbox undoMs={0} items={items} transport={transport} onAnswered={onAnswered} />
    </div>,
  )
  const accounts = rows().find(({ textContent }) => textContent?.includes('Connect accounts'))!
  accounts.scrollIntoView({ block: 'start' })
  window.scrollBy(0, 300)
  accounts.click()
  await expect.poll(() => focused()?.textContent).toBe('Connect accounts')
  const top = () => part('prompt').getBoundingClientRect().top
  expect(top()).toBeGreaterThanOrEqual(0)
  await userEvent.click(part('stop'))
  await expect.poll(() => part('inbox-detail').textContent).toContain('The task was stopped. Nothing was done.')
  expect(sent.map(({ message }) => message.type)).toEqual(['cancel_run'])
  expect(onAnswered).toHaveBeenCalledTimes(1)
  // The runs of the other sessions have the same id.
  expect(new Set(items.map(({ interaction }) => (interaction.request as { runId?: string }).runId)).size).toBe(1)
  expect(rows().filter(({ dataset }) => dataset.settled)).toHaveLength(1)
})

test('a phone shows either the list or the question', async () => {
  await page.viewport(360, 740)
  await show(<Inbox undoMs={0} items={two} transport={answersOnly().transport} />)
  expect([list().checkVisibility(), part('inbox-detail').checkVisibility()]).toEqual([true, false])
  await userEvent.click(rows()[0]!)
  await expect.poll(() => focused()?.textContent).toBe('Delete 3 files from the shared folder?')
  expect(list().checkVisibility()).toBe(false)
  await userEvent.click(page.getByRole('button', { name: 'Back to the list' }))
  await expect.poll(() => focused()).toBe(list())
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(360)
})
