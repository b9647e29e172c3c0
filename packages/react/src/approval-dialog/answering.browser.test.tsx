import { beforeEach, expect, test } from 'vitest'
import { userEvent } from 'vitest/browser'
import { fakeClient } from '../testing/fake-client.ts'
import { answered, approval, NOW } from '../testing/interactions.ts'
import { answers, liveText, part, show, wait } from '../testing/render.tsx'
import { storyClock } from '../testing/story-frame.tsx'
import { ApprovalDialog } from './approval-dialog.tsx'

const question = approval()
const hint = () => document.querySelector('[data-slot="hint"]')?.textContent
const armed = () => expect.poll(() => part('approve').dataset.armed, { timeout: 3000 }).toBe('true')

beforeEach(() => window.scrollTo(0, 0))

test('two clicks within one tick send one answer [C5.1]', async () => {
  const { client } = await show(<ApprovalDialog interaction={question} />)
  await armed()
  part('deny').click()
  part('deny').click()
  part('approve').click()
  await wait(50)
  expect(answers(client)).toEqual([['q1', { action: 'deny' }]])
})

test('threat 9: approve waits half a second for a pointer, and deny does not [T9.2]', async () => {
  let now = NOW
  const clock = { ...storyClock, now: () => now }
  const { client } = await show(<ApprovalDialog interaction={question} />, { provider: { clock } })
  const approve = part('approve')
  expect(approve.dataset.armed).toBe('false')
  expect(approve.hasAttribute('disabled')).toBe(false)
  now += 499
  await userEvent.click(approve, { force: true })
  expect(answers(client)).toEqual([])
  now += 500
  await armed()
  expect(approve.getAttribute('aria-disabled')).toBeNull()
  await userEvent.click(approve)
  expect(answers(client)).toEqual([['q1', { action: 'approve' }]])
})

test('deny works with the first click', async () => {
  const { client } = await show(<ApprovalDialog interaction={question} />)
  await userEvent.click(part('deny'))
  expect(answers(client)).toEqual([['q1', { action: 'deny' }]])
})

test('approve works with a keyboard without a wait', async () => {
  const { client } = await show(<ApprovalDialog interaction={question} />)
  part('approve').focus()
  await userEvent.keyboard('{Enter}')
  expect(answers(client)).toEqual([['q1', { action: 'approve' }]])
})

test('threat 9: a click on a button that moved under the pointer has no effect [C5.2]', async () => {
  const { client, container } = await show(<ApprovalDialog interaction={question} />)
  await armed()
  container.style.paddingTop = '40px'
  part('approve').dispatchEvent(
    new PointerEvent('click', {
      bubbles: true,
      cancelable: true,
      detail: 1,
      pointerType: 'mouse',
      width: 1,
      height: 1,
    }),
  )
  expect(answers(client)).toEqual([])
  await expect.poll(hint).toContain('Press again')
  expect(part('approve').getAttribute('aria-describedby')).toBe(part('hint').id)
  await expect.poll(liveText).toContain('Press again')
  container.style.paddingTop = ''
  await armed()
  await userEvent.click(part('approve'))
  expect(answers(client)).toHaveLength(1)
  expect(hint()).toBeUndefined()
})

test('a rejected press shows its hint only at its own question', async () => {
  let now = question
  // Time stands still: the button stays unarmed, however slow the machine is.
  const clock = { ...storyClock, now: () => NOW }
  const { client, again } = await show(() => <ApprovalDialog interaction={now} />, { provider: { clock } })
  await userEvent.click(part('approve'), { force: true })
  expect(answers(client)).toEqual([])
  await expect.poll(hint).toContain('Press again')
  now = approval({ interactionId: 'q2' })
  await again()
  expect(hint()).toBeUndefined()
})

test('threat 9: approve is blocked in a frame of another page, by pointer and key, with the reason, and deny works [T9.1]', async () => {
  expect(window.self).not.toBe(window.top)
  const { client } = await show(<ApprovalDialog interaction={question} />, { provider: { allowFramed: false } })
  await wait(700)
  await userEvent.click(part('approve'), { force: true })
  part('approve').focus()
  await userEvent.keyboard('{Enter}')
  expect(answers(client)).toEqual([])
  expect(document.body.textContent).toContain('Open it in a window of its own')
  await userEvent.click(part('deny'))
  expect(answers(client)).toEqual([['q1', { action: 'deny' }]])
})

test('Enter in the composer answers nothing, and neither does Enter in the reason [C4.1]', async () => {
  const { client } = await show(
    <>
      <ApprovalDialog interaction={question} />
      <input aria-label="Message" />
    </>,
  )
  await armed()
  document.querySelector<HTMLInputElement>('[aria-label="Message"]')!.focus()
  await userEvent.keyboard('yes{Enter}{Escape}y')
  await userEvent.click(document.querySelector('summary')!)
  await userEvent.fill(part('reason-input'), 'Too early')
  await userEvent.keyboard('{Enter}{Control>}{Enter}{/Control}')
  expect(answers(client)).toEqual([])
  await userEvent.click(part('deny'))
  expect(answers(client)).toEqual([['q1', { action: 'deny', reason: 'Too early' }]])
})

test('a key that was already held when the button got the focus has no effect [C4.2]', async () => {
  const { client } = await show(<ApprovalDialog interaction={question} />)
  part('approve').focus()
  const held = new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true, repeat: true })
  expect(part('approve').dispatchEvent(held)).toBe(false)
  const pressed = new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true })
  expect(part('approve').dispatchEvent(pressed)).toBe(true)
  expect(answers(client)).toEqual([])
})

test('an answer that could not be sent keeps the buttons enabled and the input', async () => {
  const problem = { code: 'network', message: 'The network is gone' }
  const client = fakeClient({ interactions: [question], respond: async () => ({ status: 'not_sent', problem }) })
  const { again } = await show((given) => <ApprovalDialog interaction={given.getSnapshot().interactions.get('q1')} />, {
    client,
  })
  await userEvent.click(document.querySelector('summary')!)
  await userEvent.fill(part('reason-input'), 'Because')
  await userEvent.click(part('deny'))
  client.put({ ...question, status: 'not_sent', problem })
  await again()
  expect(part('card').dataset.state).toBe('not-sent')
  expect(part('status').textContent).toContain('Your answer is still here')
  await userEvent.click(part('retry'))
  expect(client.calls.at(-1)).toEqual({ method: 'retry', args: ['q1'] })
  await userEvent.click(part('deny'))
  expect(answers(client)).toEqual(Array(2).fill(['q1', { action: 'deny', reason: 'Because' }]))
})

test('the focus returns after an answer to its previous element, if the focus was in the card [C6.1]', async () => {
  const { client, again } = await show(
    (given) => (
      <>
        <input aria-label="Message" />
        <ApprovalDialog interaction={given.getSnapshot().interactions.get('q1')} />
      </>
    ),
    { interactions: [question] },
  )
  const composer = document.querySelector<HTMLInputElement>('[aria-label="Message"]')!
  await userEvent.click(composer)
  await userEvent.click(part('deny'))
  expect(document.activeElement).toBe(part('deny'))
  client.put(answered(question, { action: 'deny' }))
  await again()
  await expect.poll(() => document.activeElement).toBe(composer)
})

test('the focus moves after an answer to the outcome of the card, if there is no previous element', async () => {
  const { client, again } = await show(
    (given) => <ApprovalDialog interaction={given.getSnapshot().interactions.get('q1')} />,
    { interactions: [question] },
  )
  part('deny').focus()
  await userEvent.keyboard('{Enter}')
  client.put(answered(question, { action: 'deny' }))
  await again()
  await expect.poll(() => document.activeElement).toBe(part('outcome'))
})

test('an answer of another user does not move the focus while the user types elsewhere [C6.2]', async () => {
  const { client, again } = await show(
    (given) => (
      <>
        <ApprovalDialog interaction={given.getSnapshot().interactions.get('q1')} />
        <input aria-label="Message" />
      </>
    ),
    { interactions: [question] },
  )
  part('deny').focus()
  const composer = document.querySelector<HTMLInputElement>('[aria-label="Message"]')!
  await userEvent.click(composer)
  client.put(answered(question, { action: 'approve' }, { here: false, name: 'Ada' }))
  await again()
  expect(part('outcome').textContent).toContain('Approved: Delete 3 files · Ada')
  await wait(50)
  expect(document.activeElement).toBe(composer)
})

test('an answer of another user does not move the focus after the user left the card', async () => {
  const { client, again } = await show(
    (given) => (
      <>
        <input aria-label="Message" />
        <ApprovalDialog interaction={given.getSnapshot().interactions.get('q1')} />
      </>
    ),
    { interactions: [question] },
  )
  await userEvent.click(document.querySelector('[aria-label="Message"]')!)
  part('deny').focus()
  part('deny').blur()
  client.put(answered(question, { action: 'approve' }, { here: false, name: 'Ada' }))
  await again()
  await wait(50)
  expect(document.activeElement).toBe(document.body)
})
