import { expect, test } from 'vitest'
import { userEvent } from 'vitest/browser'
import { useAttention } from '../attention/use-attention.ts'
import { useInteractions, usePendingInteractions } from '../hooks/use-interactions.ts'
import { InteractionView } from '../interaction-view/interaction-view.tsx'
import { fakeClient } from '../testing/fake-client.ts'
import { answered, approval, form } from '../testing/interactions.ts'
import { listen, liveText, part, show, wait } from '../testing/render.tsx'

function Chat() {
  return (
    <>
      <div style={{ height: 2000 }}>Earlier messages</div>
      {useInteractions().map((one) => (
        <InteractionView key={one.interactionId} interaction={one} />
      ))}
      <textarea aria-label="Message" style={{ position: 'fixed', bottom: 0 }} />
    </>
  )
}

test('a card that appears takes no focus, moves nothing, and is announced once in the existing live region [C2.1]', async () => {
  const { client } = await show(<Chat />)
  const region = part('live')
  expect(region.getAttribute('aria-live')).toBe('polite')
  const heard = listen()
  const composer = document.querySelector('textarea')!
  composer.focus()
  await userEvent.keyboard('Half a sen')
  const scrolled = window.scrollY
  client.put(approval())
  await expect.poll(() => document.querySelector('[data-slot="card"]')).not.toBeNull()
  await userEvent.keyboard('tence')
  expect(document.activeElement).toBe(composer)
  expect(composer.value).toBe('Half a sentence')
  expect(window.scrollY).toBe(scrolled)
  await expect.poll(() => heard).toEqual(['A question is waiting: Delete 3 files from the shared folder?'])
  await wait(300)
  expect(heard).toHaveLength(1)
  expect(part('live')).toBe(region)
})

test('several cards that appear together are one announcement, and the outcome is announced too', async () => {
  const { client } = await show(<Chat />)
  const heard = listen()
  const questions = ['a', 'b', 'c'].map((id) => approval({ interactionId: id, toolCallId: id }))
  for (const one of questions) client.put(one)
  await expect.poll(() => heard).toEqual(['3 questions are waiting'])
  client.put(answered(questions[1]!, { action: 'deny' }, { here: false, name: 'Ada' }))
  await expect.poll(liveText).toContain('\u2068Ada\u2069 denied this. It was not done.')
})

test('a question that had ended before the page loaded is not announced', async () => {
  const client = fakeClient({
    interactions: [answered(approval(), { action: 'approve' }), form({ interactionId: 'f', status: 'expired' })],
  })
  await show(<Chat />, { client })
  await wait(300)
  expect(liveText()).toBe('')
})

test('a card without a client is announced as well', async () => {
  const { client } = await show(<InteractionView interaction={form()} />)
  expect(client.getSnapshot().interactions.size).toBe(0)
  await expect.poll(liveText).toContain('Where should the report go')
})

test('a card is a named group, not a dialog [C3.1]', async () => {
  await show(<InteractionView interaction={approval()} />)
  const card = part('card')
  expect(card.getAttribute('role')).toBe('group')
  expect(document.getElementById(card.getAttribute('aria-labelledby')!)?.textContent).toBe(
    'Delete 3 files from the shared folder?',
  )
  expect(document.querySelector('[role="dialog"], [role="alertdialog"]')).toBeNull()
})

test('the outcome of a card that is unmounted with its question is still announced', async () => {
  const Pending = () =>
    usePendingInteractions().map((one) => <InteractionView key={one.interactionId} interaction={one} />)
  const { client } = await show(<Pending />, { interactions: [approval()] })
  await expect.poll(liveText).toContain('A question is waiting')
  client.put(answered(approval(), { action: 'deny' }))
  await expect.poll(() => document.querySelector('[data-slot="card"]')).toBeNull()
  await expect.poll(liveText).toBe('You denied this. It was not done.')
})

test('useAttention announces questions in an application with its own cards', async () => {
  const Bell = () => <b>{useAttention().count}</b>
  const { client } = await show(<Bell />)
  client.put(approval())
  await expect.poll(liveText).toContain('A question is waiting')
  client.put(answered(approval(), { action: 'approve' }, { here: false, name: 'Ada' }))
  await expect.poll(liveText).toContain('\u2068Ada\u2069 approved this')
})
