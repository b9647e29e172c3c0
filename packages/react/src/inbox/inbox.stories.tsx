import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect, userEvent, waitFor } from 'storybook/test'
import { answersOnly, inboxItems, settledItems } from '../testing/inbox-items.ts'
import { Inbox, type InboxProps } from './inbox.tsx'

const chats = ['Quarterly report', 'Invoices', 'Cleaning up', 'Offsite', 'Press', 'Migration', 'Support']

const day: InboxProps = {
  items: inboxItems(30),
  transport: answersOnly().transport,
  hrefOf: ({ sessionId }) => `#${sessionId}`,
  chatOf: ({ sessionId }) => chats[Number(sessionId.slice(5))] ?? sessionId,
}

const meta = { title: 'Components/Inbox', component: Inbox } satisfies Meta<typeof Inbox>

const thousand = inboxItems(1_000)

export default meta
type Story = StoryObj<typeof meta>

const part = (root: HTMLElement, slot: string) => root.querySelector<HTMLElement>(`[data-slot="${slot}"]`)

/** A day with thirty questions. */
export const Default: Story = { args: day }
export const One: Story = { args: { ...day, items: inboxItems(1) } }
export const Empty: Story = { args: { ...day, items: [] } }
/** Settled questions of all sessions: "Show more" reads the next ones. */
export const WithHistory: Story = {
  args: {
    ...day,
    items: inboxItems(3),
    history: { items: settledItems(4), status: 'success', hasMore: true, loadMore: () => {}, refresh: () => {} },
  },
  async play({ canvasElement }) {
    await userEvent.click(canvasElement.querySelectorAll('[role="radiogroup"] input')[1]!)
    await waitFor(() => expect(canvasElement.querySelectorAll('[role="option"]')).toHaveLength(4))
  },
}
/** Only the lines in view are in the document. */
export const Thousand: Story = {
  args: day,
  render: (args) => <Inbox {...args} items={thousand} hasMore onMore={() => {}} />,
}
/** One tab stop for the list; arrow keys move, Enter opens, and the answered question keeps its row. */
export const ByKeyboard: Story = {
  args: day,
  async play({ canvasElement }) {
    const list = canvasElement.querySelector<HTMLElement>('[role="listbox"]')!
    list.focus()
    await userEvent.keyboard('{Home}{ArrowDown}{ArrowDown}{Enter}')
    await waitFor(() =>
      expect(part(canvasElement, 'inbox-detail')).toContainElement(document.activeElement as HTMLElement),
    )
  },
}
/** Requests of the same tool and shape with low risk: all of them are listed before one press approves each. */
export const ApproveTogether: Story = {
  args: day,
  async play({ canvasElement }) {
    await userEvent.click(part(canvasElement, 'review-all')!)
    await waitFor(() => expect(part(canvasElement, 'inbox-batch')?.querySelectorAll('li')).toHaveLength(12))
  },
}
