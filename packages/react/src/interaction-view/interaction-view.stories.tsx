import type { Meta, StoryObj } from '@storybook/react-vite'
import { approval, connect, form, unknown } from '../testing/interactions.ts'
import { InteractionView } from './interaction-view.tsx'

const meta = {
  title: 'Components/InteractionView',
  component: InteractionView,
} satisfies Meta<typeof InteractionView>

export default meta
type Story = StoryObj<typeof meta>

export const Default: Story = { args: { interaction: approval() } }
export const Approval: Story = { args: { interaction: approval() } }
export const Form: Story = { args: { interaction: form() } }
export const Accounts: Story = { args: { interaction: connect() } }
/**
 * A question of a newer server: the card explains that it cannot be answered here, shows its content, and can be
 * declined.
 */
export const UnknownKind: Story = {
  args: { interaction: unknown({ request: { args: { document: 'contract.pdf', pages: 12 } } }) },
}
