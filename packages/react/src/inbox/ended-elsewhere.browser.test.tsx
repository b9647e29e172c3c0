import type { InboxPage, SendResult } from '@holdpoint/core/internal'
import { beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { fakeClient } from '../testing/fake-client.ts'
import { answersOnly, inboxItems } from '../testing/inbox-items.ts'
import { answered, approval, NOW } from '../testing/interactions.ts'
import { listen, part, show } from '../testing/render.tsx'
import { Inbox } from './inbox.tsx'

/** A question that another user answers, or that ends without an answer, while it is shown in an inbox. */
const rows = () => [...document.querySelectorAll<HTMLElement>('[role="option"]')]
const list = () => document.querySelector<HTMLElement>('[role="listbox"]')!
const find = (slot: string) => document.querySelector<HTMLElement>(`[data-slot="${slot}"]`)
const focused = () => document.activeElement as HTMLElement
const asked = (id: string) => approval({ interactionId: id, toolCallId: id, request: { prompt: `Run ${id}?` } })
const itemOf = (id: string, more: object = {}): InboxPage['items'][number] => ({
  ...{ sessionId: 'chat-1', you: { userId: 'ada', can: ['respond'] } },
  interaction: { request: asked(id).request, ...more },
})
const two = [itemOf('a'), itemOf('b')]
const denied = {
  ...{ type: 'interaction_response', timestamp: new Date(NOW).toISOString(), sessionId: 'chat-1' },
  ...{
    interactionId: 'a',
    toolCallId: 'a',
    action: 'deny',
    respondedBy: { userId: 'grace', name: 'Grace', clientId: 'x' },
  },
}

/** An inbox whose next read has `b` only. `answer` is the snapshot of the session. */
async function endedElsewhere(answer: () => Promise<Pick<SendResult, 'status' | 'body'>>) {
  const { transport } = answersOnly()
  let items = two
  const { again } = await show(() => <Inbox undoMs={0} items={items} transport={{ ...transport, snapshot: answer }} />)
  return async () => {
    items = [two[1]!]
    await again()
  }
}

beforeEach(() => page.viewport(1280, 900))

test('a question that ended elsewhere loses its buttons with the next read, and shows its end as soon as that is read', async () => {
  let reply = (_: object) => {}
  const next = await endedElsewhere(
    () =>
      new Promise((resolve) => {
        reply = (body) => resolve({ status: 200, body })
      }),
  )
  const heard = listen()
  part('approve').focus()
  await next()
  // Nothing can be pressed, and the focus is where the card was.
  await expect.poll(() => find('inbox-missing')).not.toBeNull()
  expect([find('approve'), find('deny')]).toEqual([null, null])
  expect(focused()).toBe(find('inbox-missing'))
  expect(rows()[0]!.textContent).toContain('No longer waiting')
  reply({ interactions: [{ request: asked('a').request, response: denied }, { request: asked('b').request }] })
  await expect.poll(() => find('outcome')?.textContent).toContain('Grace')
  await expect.poll(focused).toBe(find('outcome'))
  expect(rows()[0]!.textContent).toMatch(/Grace. denied this/)
  await expect.poll(() => heard).toEqual(['Run a? \u2068Grace\u2069 denied this. It was not done.'])
  // The other question still waits.
  rows()[1]!.click()
  await expect.poll(() => find('approve')).not.toBeNull()
})

test.each([
  ['cannot be read', async () => ({ status: 403, body: {} })],
  ['is not reached', () => Promise.reject(new Error('offline'))],
])('a question whose session %s has no buttons, and its row says that it no longer waits', async (_, answer) => {
  const next = await endedElsewhere(answer)
  await next()
  await expect.poll(() => find('inbox-missing')?.textContent).toBe('Run a?No longer waiting')
  expect(find('approve')).toBeNull()
  expect(rows()[0]!.dataset.settled).toBe('true')
})

test('a question that a read left out although it is open can still be answered', async () => {
  const interactions = two.map(({ interaction }) => interaction)
  const next = await endedElsewhere(async () => ({ status: 200, body: { interactions } }))
  await next()
  await expect.poll(() => find('approve')).not.toBeNull()
})

test('a question of the session of the page is settled in its row by the event, before the inbox is read again', async () => {
  const open = asked('a')
  const client = fakeClient({ interactions: [open], state: { sessionId: 'chat-1' } })
  await show(<Inbox undoMs={0} items={two} transport={answersOnly().transport} />, { client })
  list().focus()
  client.put(answered(open, { action: 'approve' }, { here: false }))
  await expect.poll(() => find('approve')).toBeNull()
  expect(find('outcome')).not.toBeNull()
  expect(rows()[0]!.dataset.settled).toBe('true')
  expect(focused()).toBe(list())
})

test('moving through the list announces nothing beside the name of the row', async () => {
  await show(<Inbox undoMs={0} items={inboxItems(30)} transport={answersOnly().transport} />)
  const heard = listen()
  list().focus()
  await userEvent.keyboard('{ArrowDown}{ArrowDown}{ArrowDown}{Home}')
  // Longer than announcements are gathered.
  await new Promise((resolve) => setTimeout(resolve, 400))
  expect(heard).toEqual([])
})
