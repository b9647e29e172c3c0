import { expect, test } from 'vitest'
import { userEvent } from 'vitest/browser'
import { useAttention } from '../attention/use-attention.ts'
import { ToolInteraction } from '../interaction-view/tool-interaction.tsx'
import { type FakeClient, fakeClient } from '../testing/fake-client.ts'
import { answered, form } from '../testing/interactions.ts'
import { listen, liveText, part, show, wait } from '../testing/render.tsx'

const field = (name: string) => document.querySelector<HTMLInputElement>(`[name="${name}"]`)!
const again = form({
  interactionId: 'q2',
  replaces: 'q1',
  request: { attempt: 2, fieldErrors: { email: ['Only addresses at example.com.'] } },
})

/** Every state and height that the card goes through from now on. */
function watch() {
  const card = part('card')
  const states: (string | undefined)[] = []
  const heights: number[] = []
  new MutationObserver(() => {
    if (states.at(-1) !== card.dataset.state) states.push(card.dataset.state)
    heights.push(card.getBoundingClientRect().height)
  }).observe(card, { attributes: true, childList: true, subtree: true })
  return { states, heights }
}

/** Submits the form from the field; the server has accepted the answer, and the tool checks it. */
async function handIn(client: FakeClient) {
  await userEvent.fill(field('copies'), '7')
  await userEvent.fill(field('email'), 'ada@elsewhere.org')
  await expect.poll(liveText).toContain('is waiting')
  const heard = listen()
  const seen = watch()
  await userEvent.keyboard('{Enter}')
  client.put({ ...form(), status: 'submitting', draft: { answerId: 'a1', answer: { action: 'submit', input: {} } } })
  await expect.poll(() => part('card').dataset.state).toBe('submitting')
  client.put(answered(form(), { action: 'submit', input: {} }))
  await wait(60)
  return { heard, ...seen, states: () => seen.states.filter((state) => state !== 'pending') }
}
const Bell = () => <b>{useAttention().count}</b>

test.each([
  ['alone', <ToolInteraction key="t" toolCallId="call-1" />],
  ['beside useAttention', [<Bell key="b" />, <ToolInteraction key="t" toolCallId="call-1" />]],
])('a rejected form keeps its surface and its focus, and the error is announced first (%s)', async (_, content) => {
  const client = fakeClient({ interactions: [form()] })
  await show(content, { client })
  const { heard, states, heights } = await handIn(client)
  client.put(again)
  await expect.poll(() => part('card').dataset.state).toBe('reprompted')
  expect(states()).toEqual(['submitting', 'reprompted'])
  expect(Math.min(...heights)).toBeGreaterThan(150)
  expect(document.activeElement).toBe(field('email'))
  expect(field('email').getAttribute('aria-invalid')).toBe('true')
  expect([field('email').value, field('copies').value]).toEqual(['ada@elsewhere.org', '7'])
  await expect.poll(() => heard.join()).toContain('Only addresses')
  expect(heard[0]).toMatch(/^E-mail: Only addresses at example\.com\. Not accepted/)
  await wait(500)
  expect(heard.join()).not.toContain('You answered this')
})

test('an answer that its tool accepts is shown as answered after a moment, and announced once', async () => {
  const client = fakeClient({ interactions: [form()] })
  await show([<Bell key="b" />, <ToolInteraction key="t" toolCallId="call-1" />], { client })
  const { heard, states } = await handIn(client)
  expect(part('card').dataset.state).toBe('submitting')
  await expect.poll(() => part('card').dataset.state).toBe('answered-here')
  expect(states()).toEqual(['submitting', 'answered-here'])
  await expect.poll(() => heard.filter((each) => each === 'You answered this')).toHaveLength(1)
})

test('a card stops waiting as soon as its call has ended', async () => {
  const client = fakeClient({ interactions: [form()] })
  await show(<ToolInteraction toolCallId="call-1" />, { client })
  await handIn(client)
  const { toolCalls } = client.getSnapshot()
  const call = { ...toolCalls.get('call-1')!, status: 'completed' as const }
  client.become({ toolCalls: new Map([['call-1', call]]) })
  await wait(30)
  expect(part('card').dataset.state).toBe('answered-here')
})

test('a rejection that arrives while the user writes elsewhere is announced and takes no focus', async () => {
  const client = fakeClient({ interactions: [form()] })
  const composer = <input key="c" aria-label="Message" />
  await show([<ToolInteraction key="t" toolCallId="call-1" />, composer], { client })
  const { heard } = await handIn(client)
  document.querySelector<HTMLInputElement>('[aria-label="Message"]')!.focus()
  client.put(again)
  await expect.poll(() => heard.join()).toContain('E-mail: Only addresses')
  expect(document.activeElement?.getAttribute('aria-label')).toBe('Message')
})
