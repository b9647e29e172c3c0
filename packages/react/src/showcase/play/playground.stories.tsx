import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect, waitFor, within } from 'storybook/test'
import { approval } from '../../testing/interactions.ts'
import { everyState } from '../../testing/states.ts'
import { AccountsPlayground } from './accounts-playground.tsx'
import { ApprovalPlayground } from './approval-playground.tsx'
import { FormPlayground } from './form-playground.tsx'
import { samples } from './samples.ts'

/**
 * A whole Holdpoint server runs in this page, with a mock agent. Answer the question: the tool runs, asks again, or
 * connects the account, as in your application.
 */
const meta = { title: 'Playground', tags: ['!autodocs'] } satisfies Meta

export default meta

const states = ['plays', ...Object.keys(everyState(approval(), { action: 'approve' }))]

/** A request for approval. With `state` other than `plays`, the card shows that state and nothing happens. */
export const Approval: StoryObj<typeof ApprovalPlayground> = {
  render: (controls) => <ApprovalPlayground {...controls} />,
  args: {
    sample: 'files',
    prompt: '',
    agent: 'Research agent',
    risk: 'not given',
    facts: false,
    scopes: 'once, session',
    editable: true,
    secondsLeft: 0,
    viewer: 'owner',
    state: 'plays',
  },
  argTypes: {
    sample: { control: 'select', options: Object.keys(samples), description: 'The action of the agent.' },
    prompt: { control: 'text', description: 'The question. Empty: the one of the sample.' },
    agent: { control: 'text', description: 'The name of the agent that asks.' },
    risk: { control: 'inline-radio', options: ['not given', 'low', 'medium', 'high'] },
    facts: { control: 'boolean', description: 'Shows the consequences of a yes.' },
    scopes: { control: 'select', options: ['once', 'once, session', 'once, session, always'] },
    editable: { control: 'boolean', description: 'The user can change the arguments.' },
    secondsLeft: { control: { type: 'range', min: 0, max: 600, step: 10 }, description: 'Zero: five minutes.' },
    viewer: { control: 'inline-radio', options: ['owner', 'may not answer', 'signed out'] },
    state: { control: 'select', options: states },
  },
  async play({ canvasElement }) {
    const canvas = within(canvasElement)
    await canvas.findByRole('heading', { name: 'Delete 3 files from the shared folder?' })
  },
}

/** The same approval, denied: the agent receives the outcome. */
export const Denied: StoryObj<typeof ApprovalPlayground> = {
  ...Approval,
  tags: ['!dev'],
  async play({ canvasElement, userEvent }) {
    const canvas = within(canvasElement)
    await userEvent.click(await canvas.findByRole('button', { name: 'Keep files' }))
    await waitFor(() => expect(canvas.getByText(/"outcome": "denied"/)).toBeVisible())
  },
}

/** A form. With `askAgainOnce` the tool refuses the first answer, with an error at its field. */
export const Form: StoryObj<typeof FormPlayground> = {
  render: (controls) => <FormPlayground {...controls} />,
  args: {
    prompt: 'Where should the report go, and how many copies?',
    agent: 'Report agent',
    fields: 'two fields',
    askAgainOnce: true,
  },
  argTypes: {
    fields: { control: 'inline-radio', options: ['two fields', 'every field type'] },
    askAgainOnce: { control: 'boolean', description: 'The tool refuses the first answer.' },
  },
  async play({ canvasElement, userEvent }) {
    const canvas = within(canvasElement)
    await userEvent.type(await canvas.findByLabelText(/E-mail/), 'ada@exmaple.com{Enter}')
    await waitFor(() => expect(canvas.getByText('No mail server answers for this address.')).toBeVisible())
    await expect(canvas.getByLabelText(/E-mail/)).toHaveValue('ada@exmaple.com')
  },
}

/** Accounts. The window of the service is a page of this Storybook, and ends as `result` says. */
export const Accounts: StoryObj<typeof AccountsPlayground> = {
  render: (controls) => <AccountsPlayground {...controls} />,
  args: { reason: 'To post the summary.', slack: true, gmail: true, calendar: false, result: 'connected' },
  argTypes: { result: { control: 'inline-radio', options: ['connected', 'denied', 'never'] } },
  async play({ canvasElement }) {
    await within(canvasElement).findByRole('button', { name: 'Connect Slack' })
  },
}
