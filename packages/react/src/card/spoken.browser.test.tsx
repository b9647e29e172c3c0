import axe from 'axe-core'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { ApprovalDialog } from '../approval-dialog/approval-dialog.tsx'
import { useAttention } from '../attention/use-attention.ts'
import { InteractionView } from '../interaction-view/interaction-view.tsx'
import { german } from '../locales/de.ts'
import { fakeClient } from '../testing/fake-client.ts'
import { answered, approval, connect, form, NOW } from '../testing/interactions.ts'
import { listen, liveText, part, show } from '../testing/render.tsx'
import { storyClock } from '../testing/story-frame.tsx'

test('an announcement names the question, its risk and its deadline', async () => {
  const question = approval({
    request: { prompt: 'Delete the production database?', risk: 'high' },
    expiresAt: storyClock.now() + 290_000,
  })
  await show(<InteractionView interaction={question} />)
  await expect
    .poll(liveText)
    .toBe('A question is waiting: Delete the production database? High risk. Answer within 5 minutes.')
})

test('the announcement of a question that stays answerable states that the assistant continues', async () => {
  const question = approval({ request: { answerableLater: true }, expiresAt: storyClock.now() + 290_000 })
  await show(<InteractionView interaction={question} />)
  await expect
    .poll(liveText)
    .toBe(
      'A question is waiting: Delete 3 files from the shared folder? The assistant continues in 5 minutes. You can answer later.',
    )
})

test.each([
  ['done', 'completed', 'Done: \u2068Delete 3 files\u2069'],
  ['failed', 'error', 'Your answer was saved, but the tool failed. The assistant was informed.'],
  ['stopped', 'cancelled', 'Stopped: \u2068Delete 3 files\u2069'],
])('the live region announces after "Still running" how the call ended: %s', async (_, status, text) => {
  const question = approval()
  const client = fakeClient({ interactions: [question] })
  const { again } = await show(
    (given) => <InteractionView interaction={given.getSnapshot().interactions.get('q1')} />,
    { client },
  )
  await expect.poll(liveText).toContain('A question is waiting')
  const heard = listen()
  client.put(answered(question, { action: 'approve' }))
  await again()
  await expect.poll(liveText).toBe('Approved. Still running…')
  const call = client.getSnapshot().toolCalls.get('call-1')!
  client.become({ toolCalls: new Map([['call-1', { ...call, status }]]) }, ['call:call-1'])
  await expect.poll(liveText).toBe(text)
  expect(heard).toEqual(['Approved. Still running…', text])
})

test('two cards have two names: each question is a heading of the level that the page sets', async () => {
  await show(
    <>
      <InteractionView interaction={approval()} headingLevel={2} />
      <InteractionView interaction={form({ interactionId: 'q2' })} />
    </>,
  )
  await expect.element(page.getByRole('group', { name: 'Delete 3 files from the shared folder?' })).toBeVisible()
  await expect.element(page.getByRole('heading', { level: 2, name: /^Delete 3 files/ })).toBeVisible()
  await expect.element(page.getByRole('heading', { level: 3, name: /^Where should the report go/ })).toBeVisible()
})

test('a card adds no landmarks to the page', async () => {
  const kinds = [approval(), form({ interactionId: 'q2' }), connect({ interactionId: 'q3' })]
  await show(kinds.map((one) => <InteractionView key={one.interactionId} interaction={one} />))
  expect(landmarks()).toEqual([])
})

test('a card that is opened in a larger view or has ended adds no landmarks to the page', async () => {
  await show(
    <>
      <InteractionView interaction={answered(approval(), { action: 'approve' })} />
      <InteractionView interaction={form({ interactionId: 'q2' })} />
    </>,
  )
  await userEvent.click(part('pop-out'))
  await expect.element(page.getByRole('dialog')).toBeVisible()
  expect(part('pop-out-view').contains(part('header'))).toBe(true)
  expect(landmarks()).toEqual([])
})

/** Elements of landmarks on the page. A name makes a landmark of a section without a role, so none is allowed. */
const landmarks = () => [
  ...document.querySelectorAll(
    'header, footer, main, nav, aside, section:not([role]), search, [role="banner"], [role="contentinfo"], [role="complementary"], [role="region"], [role="navigation"], [role="main"]',
  ),
]

test('jumpToNext moves the focus to the question itself', async () => {
  const Jump = () => (
    <button type="button" onClick={useAttention().jumpToNext}>
      Next question
    </button>
  )
  const question = approval()
  await show(
    <>
      <Jump />
      <InteractionView interaction={question} />
    </>,
    { interactions: [question] },
  )
  await userEvent.click(page.getByRole('button', { name: 'Next question' }))
  expect(document.activeElement).toBe(part('prompt'))
})

test('a card has the language that the app sets', async () => {
  await show(<InteractionView interaction={approval()} />, { provider: { messages: german, locale: 'de' } })
  expect(part('card').lang).toBe('de')
})

test('a card has no language of its own if the app sets none', async () => {
  await show(<InteractionView interaction={approval()} />)
  expect(part('card').hasAttribute('lang')).toBe(false)
})

test('the accessible name of the button for the larger view occurs once', async () => {
  await show(<InteractionView interaction={approval()} />)
  await expect.element(page.getByRole('button', { name: 'Open in a larger view', exact: true })).toBeVisible()
  expect([part('pop-out').title, part('pop-out').getAttribute('aria-label')]).toEqual(['Open in a larger view', null])
})

test('a signed-out user is informed and can sign in, and the draft of the answer is kept', async () => {
  let asked = 0
  const question = form()
  const { again } = await show(() => <InteractionView interaction={question} connection="unauthorized" />, {
    provider: { onSignIn: () => asked++ },
    interactions: [question],
  })
  expect(part('card').dataset.state).toBe('signed-out')
  expect(part('status').textContent).toContain('You are signed out. Sign in to answer.')
  await expect.poll(liveText).toBe('You are signed out. Sign in to answer.')
  await userEvent.fill(document.querySelector('[name="email"]')!, 'ada@')
  expect(part('status').textContent).toContain('Your answer is kept; sign in to send it.')
  await userEvent.click(part('sign-in'))
  expect(asked).toBe(1)
  await again()
  expect(document.querySelector<HTMLInputElement>('[name="email"]')!.value).toBe('ada@')
})

test('the larger view opens scrolled to its top, also in a low window', async () => {
  await page.viewport(700, 320)
  const args = Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`key${index}`, index]))
  await show(<ApprovalDialog interaction={approval({ request: { args, risk: 'high' } })} />)
  await userEvent.click(part('pop-out'))
  await expect.poll(() => document.querySelector('[data-slot="pop-out-view"]')).not.toBeNull()
  expect(part('pop-out-view').scrollTop).toBe(0)
  expect(document.activeElement).toBe(part('prompt'))
  await page.viewport(414, 896)
})

test('the buttons of a card on a phone stack at twice the font size, and no word is broken', async () => {
  await page.viewport(320, 800)
  const root = document.documentElement
  const tops = () => ['deny', 'approve'].map((slot) => Math.round(part(slot).getBoundingClientRect().top))
  await show(<ApprovalDialog interaction={approval()} />)
  expect(tops()[0]).toBe(tops()[1])
  root.style.fontSize = '200%'
  try {
    await expect.poll(() => tops()[1]! > tops()[0]!).toBe(true)
    const label = part('approve').querySelector('bdi')!
    const words = document.createRange()
    const broken = [...label.textContent!.matchAll(/\S+/g)].filter(({ index, 0: word }) => {
      words.setStart(label.firstChild!, index)
      words.setEnd(label.firstChild!, index + word.length)
      return words.getClientRects().length > 1
    })
    expect(broken).toEqual([])
    const { violations } = await axe.run(part('card'), { runOnly: ['target-size'] })
    expect(violations).toEqual([])
  } finally {
    root.style.fontSize = ''
    await page.viewport(414, 896)
  }
})

test('radio buttons and boxes grow with the font size', async () => {
  const options = [{ value: 's', label: 'Small' }]
  const fields = (['radio', 'multiselect'] as const).map((type) => ({ id: type, type, label: type, options }))
  await show(<InteractionView interaction={form({ request: { inputSchema: { type: 'form', fields } } })} />)
  const sizes = () =>
    [...document.querySelectorAll('.hp-choice > input')].map((input) => input.getBoundingClientRect().height)
  await expect.poll(sizes).toEqual([16, 16])
  document.documentElement.style.fontSize = '200%'
  try {
    await expect.poll(sizes).toEqual([32, 32])
  } finally {
    document.documentElement.style.fontSize = ''
  }
})

test('a question without a known deadline is announced without one', async () => {
  await show(<InteractionView interaction={approval({ expiresAt: Number.NaN, timestamp: NOW } as never)} />)
  await expect.poll(liveText).toBe('A question is waiting: Delete 3 files from the shared folder?')
})
