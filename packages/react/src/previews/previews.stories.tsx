import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect } from 'storybook/test'
import { ApprovalDialog } from '../approval-dialog/approval-dialog.tsx'
import { previewed } from '../testing/previewed.ts'
import { hostile } from '../testing/states.ts'

/**
 * Previews show the arguments of a tool as what they are: a letter, a command, a payment. The application registers them
 * with `renderers` on the provider. Arguments that it does not show are rows below it, and the exact request is one press
 * away.
 */
const meta = {
  title: 'Components/Previews',
  component: ApprovalDialog,
} satisfies Meta<typeof ApprovalDialog>

export default meta
type Story = StoryObj<typeof meta>

const story = (name: keyof typeof previewed): Story => ({ args: { interaction: previewed[name]() } })

export const Email: Story = story('email')
export const Shell: Story = story('shell')
export const Sql: Story = story('sql')
export const Http: Story = story('http')
export const Payment: Story = story('payment')
export const CalendarEvent: Story = story('calendar')
export const Files: Story = story('files')

/** An argument that the preview does not know is a row below it. */
export const WithOtherArguments: Story = {
  args: { interaction: previewed.email({ send_at: '2026-03-03T08:00:00Z', track_opens: true }) },
  async play({ canvas }) {
    await expect(await canvas.findByText('Everything else')).toBeVisible()
    await expect(canvas.getByText('Track opens')).toBeVisible()
  },
}

/** Of another type than the preview can show: all arguments are rows. */
export const WrongType: Story = { args: { interaction: previewed.payment({ amount: 'a lot' }) } }

/** With invisible characters all arguments are rows, which show them. */
export const HostileText: Story = { args: { interaction: previewed.email({ subject: hostile.turned }) } }
