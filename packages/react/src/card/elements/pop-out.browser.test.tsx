import * as Dialog from 'radix-ui/dialog'
import * as Popover from 'radix-ui/popover'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { ApprovalDialog } from '../../approval-dialog/approval-dialog.tsx'
import { InputForm } from '../../input-form/input-form.tsx'
import { answered, approval, diff, form } from '../../testing/interactions.ts'
import { answers, liveText, part, show, wait } from '../../testing/render.tsx'

/** Opens the view and waits until its code is loaded. */
async function popOut() {
  await userEvent.click(part('pop-out'))
  await expect.poll(() => view()?.contains(document.activeElement)).toBe(true)
}
const view = () => document.querySelector<HTMLElement>('[data-slot="pop-out-view"]')

test('the larger view of an approval is a modal alert dialog with a name, and the safest button has the focus', async () => {
  await show(<ApprovalDialog interaction={approval()} />)
  await popOut()
  expect(view()?.getAttribute('role')).toBe('alertdialog')
  expect(view()?.getAttribute('aria-modal')).toBe('true')
  expect(document.getElementById(view()!.getAttribute('aria-labelledby')!)?.textContent).toBe(
    'Delete 3 files from the shared folder?',
  )
  expect(document.activeElement).toBe(part('deny'))
  expect(document.querySelectorAll('[data-slot="approve"]')).toHaveLength(1)
})

test.each([
  ['low', 'approve'],
  ['medium', 'deny'],
  ['high', 'deny'],
] as const)('with %s risk, %s has focus', async (risk, slot) => {
  await show(<ApprovalDialog interaction={approval({ request: { risk } })} />)
  await popOut()
  expect(document.activeElement).toBe(part(slot))
})

test.each([
  ['low', 'Low risk'],
  ['medium', 'Medium risk'],
  ['high', 'High risk'],
] as const)('a %s risk is named in words, by the card and by its larger view', async (risk, words) => {
  await show(<ApprovalDialog interaction={approval({ request: { risk } })} />)
  const about = (element: HTMLElement) =>
    element
      .getAttribute('aria-describedby')!
      .split(' ')
      .map((id) => document.getElementById(id)?.textContent)
  const said = [words, 'Approval needed']
  expect(about(part('card'))).toEqual(said)
  await popOut()
  expect(about(view()!)).toEqual(said)
  expect(view()!.dataset.risk).toBe(risk)
})

test('Escape closes the larger view without an answer, and the card stays open [C3.2]', async () => {
  const { client } = await show(<ApprovalDialog interaction={approval()} />)
  await popOut()
  await userEvent.keyboard('{Escape}')
  expect(view()).toBeNull()
  expect(part('card').dataset.state).toBe('pending')
  await expect.poll(() => document.activeElement).toBe(part('pop-out'))
  expect(answers(client)).toEqual([])
})

test('a click outside the view closes it without an answer', async () => {
  const { client } = await show(<ApprovalDialog interaction={approval()} />)
  await popOut()
  await userEvent.click(part('backdrop'), { position: { x: 4, y: 4 } })
  await expect.poll(view).toBeNull()
  expect(part('card').dataset.state).toBe('pending')
  expect(answers(client)).toEqual([])
})

test('Escape and clicks in the view do not close a dialog of the app around it', async () => {
  await show(
    <Dialog.Root defaultOpen>
      <Dialog.Portal>
        <Dialog.Content aria-describedby={undefined} data-testid="theirs">
          <Dialog.Title>Chat</Dialog.Title>
          <ApprovalDialog interaction={approval()} />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>,
  )
  const theirs = () => document.querySelector('[data-testid="theirs"]')
  await popOut()
  await userEvent.click(part('reason').querySelector('summary')!)
  const composing = { key: 'Escape', bubbles: true, cancelable: true, isComposing: true }
  document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', composing))
  await wait(50)
  expect([view(), theirs()]).not.toContain(null)
  await userEvent.keyboard('{Escape}')
  expect(view()).toBeNull()
  expect(theirs()).not.toBeNull()
  await expect.poll(() => document.activeElement).toBe(part('pop-out'))
  await userEvent.keyboard('{Escape}')
  await expect.poll(theirs).toBeNull()
})

test('Escape closes a popover in the view first, and the view with the next press', async () => {
  const list = () => document.querySelector('[data-testid="list"]')
  await show(
    <ApprovalDialog.Root interaction={approval()}>
      <ApprovalDialog.PopOut role="dialog">
        <ApprovalDialog.PopOutTrigger />
        <Popover.Root>
          <Popover.Trigger data-slot="opener">Choose</Popover.Trigger>
          <Popover.Portal>
            <Popover.Content data-testid="list">
              <button type="button">One</button>
            </Popover.Content>
          </Popover.Portal>
        </Popover.Root>
      </ApprovalDialog.PopOut>
    </ApprovalDialog.Root>,
  )
  await popOut()
  await userEvent.click(part('opener'))
  await expect.poll(() => list()?.contains(document.activeElement)).toBe(true)
  await userEvent.keyboard('{Escape}')
  await expect.poll(list).toBeNull()
  expect(view()).not.toBeNull()
  await expect.poll(() => document.activeElement).toBe(part('opener'))
  await userEvent.keyboard('{Escape}')
  expect(view()).toBeNull()
})

test.each([
  ['as most browsers report it', { isComposing: true }],
  ['as Safari reports it, too late', { keyCode: 229 }],
])('Escape that ends a composition keeps the view open, %s', async (_, how) => {
  await show(<InputForm interaction={form()} />)
  await popOut()
  const pressed = new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true, ...how })
  document.activeElement?.dispatchEvent(pressed)
  await wait(50)
  expect(view()).not.toBeNull()
})

test('the input moves with the card into the larger view and back', async () => {
  await show(<InputForm interaction={form()} />)
  await userEvent.fill(document.querySelector('input')!, 'ada@exa')
  await popOut()
  const field = view()!.querySelector('input')!
  expect(field.value).toBe('ada@exa')
  expect(document.activeElement).toBe(field)
  await userEvent.keyboard('mple.com')
  await userEvent.keyboard('{Escape}')
  await expect.poll(() => document.querySelector('input')?.value).toContain('mple.com')
})

test('the tab key stays inside the view, and the rest of the page is inert', async () => {
  await show(
    <>
      <button type="button">Outside</button>
      <ApprovalDialog interaction={approval()} />
    </>,
  )
  await popOut()
  for (let n = 0; n < 12; n++) {
    await userEvent.keyboard('{Tab}')
    expect(view()?.contains(document.activeElement)).toBe(true)
  }
})

test('an outcome closes the view, is announced in spite of the modal, and the focus stays in the card', async () => {
  const question = approval()
  const { client, again } = await show(
    (given) => <ApprovalDialog interaction={given.getSnapshot().interactions.get('q1')} />,
    { interactions: [question] },
  )
  await popOut()
  await expect.poll(liveText).toContain('A question is waiting')
  expect(part('live').closest('[aria-hidden="true"]')).toBeNull()
  await userEvent.keyboard('{Enter}')
  expect(answers(client)).toEqual([['q1', { action: 'deny' }]])
  client.put(answered(question, { action: 'deny' }))
  await again()
  await expect.poll(view).toBeNull()
  await expect.poll(liveText).toBe('You denied this. It was not done.')
  await expect.poll(() => document.activeElement).toBe(part('outcome'))
})

test('an unmounted card leaves no modal state on the page', async () => {
  const { unmount } = await show(<ApprovalDialog interaction={approval()} />)
  await popOut()
  await unmount()
  await wait(50)
  expect(document.body.style.pointerEvents).not.toBe('none')
  expect(document.querySelector('[aria-hidden="true"]')).toBeNull()
})

test('the larger view of a diff is as wide as its lines within the window, and that of text is 720 pixels wide', async () => {
  await page.viewport(1400, 900)
  const width = () => view()!.getBoundingClientRect().width
  const text = await show(<ApprovalDialog interaction={approval()} />)
  await popOut()
  expect(width()).toBe(720)
  await text.unmount()
  const long = `  total: ${'subtotal + '.repeat(11)}tax,`
  const [file] = diff
  const wide = [{ ...file!, hunks: [{ ...file!.hunks![0]!, lines: [`-${long}`, `+${long}`] }] }]
  await show(<ApprovalDialog interaction={approval({ request: { args: undefined, diff: wide } })} />)
  await popOut()
  expect(width()).toBe(1200)
  const lines = view()!.querySelector<HTMLElement>('.hp-diff-scroll')!
  expect(lines.scrollWidth).toBeLessThanOrEqual(lines.clientWidth)
  await page.viewport(1000, 900)
  expect(width()).toBe(936)
  await page.viewport(414, 896)
  expect(width()).toBeLessThanOrEqual(414)
})
