import type { Interaction } from '@holdpoint/core'
import { expect, test } from 'vitest'
import { userEvent } from 'vitest/browser'
import { InteractionView } from '../interaction-view/interaction-view.tsx'
import { ToolInteraction } from '../interaction-view/tool-interaction.tsx'
import { fakeClient } from '../testing/fake-client.ts'
import { approval, connect, form } from '../testing/interactions.ts'
import { part, show } from '../testing/render.tsx'

const draft = { answerId: 'a1', answer: { action: 'approve' as const } }
const kinds: [string, Interaction, string[]][] = [
  ['approval', approval(), ['deny', 'approve']],
  ['form', form({ request: { labels: { cancel: 'Dismiss' } } }), ['decline', 'submit', 'dismiss']],
  ['request for accounts', connect(), ['connect', 'stop']],
]
const states = [
  ['disconnected', {}, 'reconnecting'],
  ['submitting', { status: 'submitting', draft }, undefined],
  ['not-sent', { status: 'not_sent', draft }, undefined],
] as const

const boxes = (slots: string[]) => slots.map((slot) => part(slot).getBoundingClientRect().toJSON())

test.each(kinds.flatMap((kind) => [560, 300].map((width) => [...kind, width] as const)))(
  'the message about the %s appears and disappears without moving a button',
  async (_, interaction, slots, width) => {
    let props: Parameters<typeof InteractionView>[0] = { interaction }
    const { again } = await show(() => (
      <div style={{ width }}>
        <InteractionView {...props} />
      </div>
    ))
    const become = async (next: Partial<typeof props>) => {
      props = { interaction, ...next }
      await again()
    }
    const before = boxes(slots)
    for (const [state, more, connection] of states) {
      await become({ interaction: { ...interaction, ...more }, connection })
      expect(part('card').dataset.state).toBe(state)
      expect(part('status').textContent).not.toBe('')
      expect(boxes(slots), state).toEqual(before)
      await become({})
      expect(document.querySelector('[data-slot="status"]')).toBeNull()
      expect(boxes(slots)).toEqual(before)
    }
  },
)

test('a rejection without a field shows the message of the tool', async () => {
  const problem = { code: 'invalid_input', message: 'Two folders, please.', fieldErrors: {} }
  await show(<InteractionView interaction={{ ...approval(), problem }} />)
  expect(part('status').textContent).toBe('Two folders, please.')
  expect(part('status').dataset.tone).toBe('problem')
})

test('the error of the previous answer stays visible', async () => {
  const question = approval({ request: { attempt: 2, error: 'The folder has changed since.' } })
  let connection: 'open' | 'reconnecting' = 'open'
  const { again } = await show(() => <InteractionView interaction={question} connection={connection} />)
  expect(part('card').dataset.state).toBe('reprompted')
  const before = boxes(['error', 'deny', 'approve'])
  expect(part('error').getBoundingClientRect().bottom).toBeLessThan(part('deny').getBoundingClientRect().top)
  connection = 'reconnecting'
  await again()
  expect(part('status').textContent).toContain('Reconnecting')
  expect(part('error').textContent).toBe('The folder has changed since.')
  expect(boxes(['error', 'deny', 'approve'])).toEqual(before)
})

test('the status line adds at most 8 pixels to a card, so that a chat is not pushed up', async () => {
  let connection: 'open' | 'reconnecting' = 'open'
  const { again } = await show(() => <InteractionView interaction={approval()} connection={connection} />)
  const before = part('card').offsetHeight
  connection = 'reconnecting'
  await again()
  expect(part('status').textContent).toContain('Reconnecting')
  expect(part('card').offsetHeight - before).toBeLessThanOrEqual(8)
})

test('a card without a connection reports that the answer is kept only if a draft exists', async () => {
  await show(<InteractionView interaction={form()} connection="offline" />)
  expect(part('status').querySelector('bdi')?.textContent).toBe('Reconnecting… This may be out of date.')
  await userEvent.fill(document.querySelector('[name="email"]')!, 'ada@')
  expect(part('status').querySelector('bdi')?.textContent).toBe('Reconnecting… Your answer is kept.')
})

test('an answer that was sent and rejected counts as a draft', async () => {
  await show(<InteractionView interaction={{ ...approval(), draft }} connection="offline" />)
  expect(part('card').dataset.state).toBe('disconnected')
  expect(part('status').querySelector('bdi')?.textContent).toBe('Reconnecting… Your answer is kept.')
})

test('a card without its connection can retry at once, and the button moves no other one', async () => {
  const client = fakeClient({ interactions: [approval()] })
  await show(<ToolInteraction toolCallId="call-1" />, { client })
  await expect.poll(() => part('card').dataset.state).toBe('pending')
  const before = part('approve').getBoundingClientRect().top
  const height = part('card').getBoundingClientRect().height
  client.become({ connection: { status: 'reconnecting', attempt: 2 } }, ['connection'])
  await expect.poll(() => part('card').dataset.state).toBe('disconnected')
  expect(part('approve').getBoundingClientRect().top).toBe(before)
  // As much as the line takes without the button.
  expect(part('card').getBoundingClientRect().height - height).toBeLessThanOrEqual(8)
  await userEvent.click(part('reconnect'))
  expect(client.calls.map(({ method }) => method)).toContain('reconnect')
  client.become({ connection: { status: 'open', attempt: 0 } }, ['connection'])
  await expect.poll(() => document.querySelector('[data-slot="reconnect"]')).toBeNull()
})
