import { expect, test } from 'vitest'
import { userEvent } from 'vitest/browser'
import { ApprovalDialog } from '../approval-dialog/approval-dialog.tsx'
import { approval } from '../testing/interactions.ts'
import { show } from '../testing/render.tsx'

/** The page of README.md: the open questions, without those that were answered. */
const list = (...ids: string[]) => (
  <>
    <input aria-label="Message" />
    {ids.map((id) => (
      <ApprovalDialog key={id} interaction={approval({ interactionId: id, toolCallId: id })} />
    ))}
  </>
)
/** Two questions, of which the first can be removed. */
async function showTwo() {
  let ids = ['a', 'b']
  const { again } = await show(() => list(...ids))
  return {
    async remove() {
      ids = ['b']
      await again()
    },
  }
}
const deny = (id: string) => document.querySelector<HTMLElement>(`[data-interaction-id="${id}"] [data-slot="deny"]`)!
const focused = () => document.activeElement

test('a card that is removed with the focus gives it back to where the user came from', async () => {
  const { remove } = await showTwo()
  await userEvent.click(document.querySelector('input')!)
  deny('a').focus()
  await remove()
  await expect.poll(() => focused()?.getAttribute('aria-label')).toBe('Message')
})

test('a card that is removed with the focus gives it to the next question, if the user came from nowhere', async () => {
  const { remove } = await showTwo()
  deny('a').focus()
  await remove()
  await expect.poll(() => focused()?.getAttribute('data-slot')).toBe('prompt')
  expect(focused()?.closest('[data-interaction-id]')?.getAttribute('data-interaction-id')).toBe('b')
})

test('a card that is removed without the focus leaves it where it is', async () => {
  const { remove } = await showTwo()
  await userEvent.click(document.querySelector('input')!)
  await remove()
  expect(focused()?.getAttribute('aria-label')).toBe('Message')
})
