import type { Meta, StoryObj } from '@storybook/react-vite'
import { accountArgTypes } from '../testing/arg-types.ts'
import { accountsPage } from '../testing/checks/component-docs.ts'
import { connect } from '../testing/interactions.ts'
import { everyState, hostile } from '../testing/states.ts'
import { AuthRequestCard } from './auth-request-card.tsx'

const meta = {
  title: 'Components/AuthRequestCard',
  component: AuthRequestCard,
  parameters: accountsPage,
  argTypes: accountArgTypes,
} satisfies Meta<typeof AuthRequestCard>

export default meta
type Story = StoryObj<typeof meta>

const one = connect({ request: { integrations: ['slack'] } })
const states = everyState(connect(), { action: 'approve' })
const url = 'https://slack.com/oauth/v2/authorize?state=x'

export const Default: Story = { args: { interaction: one } }

export const Loading: Story = { args: states.Loading! }
export const Idle: Story = { args: { interaction: one } }
export const Opening: Story = { args: { interaction: one, rows: { slack: { status: 'opening' } } } }
export const Waiting: Story = { args: { interaction: one, rows: { slack: { status: 'waiting', url } } } }
export const Checking: Story = { args: { interaction: one, rows: { slack: { status: 'checking', url } } } }
export const Blocked: Story = { args: { interaction: one, rows: { slack: { status: 'blocked', url } } } }
export const Redirect: Story = { args: { interaction: one, rows: { slack: { status: 'redirect', url } } } }
export const Denied: Story = { args: { interaction: one, rows: { slack: { status: 'denied' } } } }
export const WrongAccount: Story = { args: { interaction: one, rows: { slack: { status: 'wrong-account' } } } }
export const FailedRow: Story = { args: { interaction: one, rows: { slack: { status: 'failed' } } } }
export const FewerScopes: Story = { args: { interaction: connect(), rows: { slack: { status: 'connected-fewer' } } } }
export const TwoOfThree: Story = { args: { interaction: connect({ connected: ['slack', 'gmail'] }) } }
export const Reconnect: Story = {
  args: { interaction: connect({ request: { causes: { slack: 'expired', gmail: 'scopes' } } }) },
}
const done = connect({ status: 'answered', answeredHere: true, connected: ['slack', 'gmail', 'google-calendar'] })
export const AllConnected: Story = { args: { interaction: done } }
export const ConnectedElsewhere: Story = { args: { interaction: { ...done, answeredHere: false } } }
export const Superseded: Story = { args: states.Superseded! }
export const Expired: Story = { args: states.Expired! }
export const Cancelled: Story = { args: states.Cancelled! }
export const ReadOnly: Story = { args: states.ReadOnly! }
export const MayNotAnswer: Story = { args: states.MayNotAnswer! }
export const Disconnected: Story = { args: states.Disconnected! }
export const SignedOut: Story = { args: states.SignedOut! }
export const TimeRunningOut: Story = { args: states.TimeRunningOut! }
export const HostileText: Story = {
  args: {
    interaction: connect({
      request: { integrations: ['slack', 'pay\u202Epal'], reason: hostile.html },
    }),
    // Not a web address: no link is made of it.
    rows: { slack: { status: 'blocked', url: 'javascript:alert(1)' } },
  },
}
export const LookAlikeHost: Story = {
  args: { interaction: one, rows: { slack: { status: 'blocked', url: 'https://sl\u0430ck.com/authorize' } } },
}
