import { expect, test } from 'vitest'
import { userEvent } from 'vitest/browser'
import { ApprovalDialog } from '../approval-dialog/approval-dialog.tsx'
import { approval } from '../testing/interactions.ts'
import { show } from '../testing/render.tsx'
import { useInteractionsOutOfView } from './use-interactions-out-of-view.ts'

const questions = ['first', 'second'].map((id) =>
  approval({ interactionId: id, toolCallId: id, request: { prompt: `Run the ${id}?` } }),
)
const [first, second] = questions as [(typeof questions)[0], (typeof questions)[0]]

function Button() {
  const { text, count, jumpToNext } = useInteractionsOutOfView()
  return count > 0 ? (
    <button type="button" id="jump" onClick={jumpToNext}>
      {text}
    </button>
  ) : null
}

/** A chat whose cards lie in a scroll container of 500 px, 2,000 px apart. */
const Chat = ({ cards = questions }: { cards?: typeof questions }) => (
  <>
    <div id="scroll" style={{ blockSize: 500, overflow: 'auto' }}>
      {cards.map((one) => (
        <div key={one.interactionId} style={{ minBlockSize: 2000 }}>
          <ApprovalDialog interaction={one} />
        </div>
      ))}
    </div>
    <Button />
  </>
)

const jump = () => document.querySelector<HTMLButtonElement>('#jump')
const scrollTo = (top: number) => document.querySelector('#scroll')!.scrollTo({ top, behavior: 'instant' })

test('the button names the question that is out of view, and scrolls to it', async () => {
  await show(<Chat />, { interactions: questions })
  await expect.poll(() => jump()?.textContent).toBe('A question is waiting: Run the second?')
  await userEvent.click(jump()!)
  expect(document.activeElement?.closest('[data-interaction-id]')?.getAttribute('data-interaction-id')).toBe('second')
  await expect.poll(() => jump()?.textContent).toBe('A question is waiting: Run the first?')
})

test('the button disappears while every open question is in view', async () => {
  const { client } = await show(<Chat />, { interactions: questions })
  await expect.poll(() => jump()?.textContent).toBe('A question is waiting: Run the second?')
  client.put({ ...second, status: 'expired' })
  await expect.poll(jump).toBeNull()
  scrollTo(1500)
  await expect.poll(() => jump()?.textContent).toBe('A question is waiting: Run the first?')
  scrollTo(0)
  await expect.poll(jump).toBeNull()
})

test('a question without a card is out of view until its card appears', async () => {
  let cards: typeof questions = []
  const screen = await show(() => <Chat cards={cards} />, { interactions: [first] })
  await expect.poll(() => jump()?.textContent).toBe('A question is waiting: Run the first?')
  cards = [first]
  await screen.again()
  await expect.poll(jump).toBeNull()
})
