import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect, fn } from 'storybook/test'
import { cardArgTypes } from '../testing/arg-types.ts'
import { approvalPage } from '../testing/checks/component-docs.ts'
import { answered, approval, diff, largeDiff } from '../testing/interactions.ts'
import { everyState, hostile } from '../testing/states.ts'
import { ApprovalDialog } from './approval-dialog.tsx'

const meta = {
  title: 'Components/ApprovalDialog',
  component: ApprovalDialog,
  parameters: approvalPage,
  argTypes: cardArgTypes,
} satisfies Meta<typeof ApprovalDialog>

export default meta
type Story = StoryObj<typeof meta>

const states = everyState(approval(), { action: 'approve' })
const scopes = ['once', 'session', 'always'] as const

export const Default: Story = { args: { interaction: approval() } }

export const Loading: Story = { args: states.Loading! }
export const Pending: Story = { args: states.Pending! }
export const Submitting: Story = { args: states.Submitting! }
export const NotSent: Story = { args: states.NotSent! }
export const Answered: Story = { args: states.Answered! }
export const Denied: Story = { args: everyState(approval(), { action: 'deny', reason: 'Still in use' }).Answered! }
export const ApprovedStillRunning: Story = { args: states.ApprovedStillRunning! }
export const AnsweredElsewhere: Story = { args: states.AnsweredElsewhere! }
export const Expired: Story = { args: states.Expired! }
export const Cancelled: Story = { args: states.Cancelled! }
export const Superseded: Story = { args: states.Superseded! }
export const ToolFailed: Story = { args: states.ToolFailed! }
export const Reprompted: Story = { args: states.Reprompted! }
export const ReadOnly: Story = { args: states.ReadOnly! }
export const MayNotAnswer: Story = { args: states.MayNotAnswer! }
export const Disconnected: Story = { args: states.Disconnected! }
export const SignedOut: Story = { args: states.SignedOut! }
export const Deferred: Story = { args: states.Deferred! }
export const TimeRunningOut: Story = { args: states.TimeRunningOut! }

export const Scopes: Story = { args: { interaction: approval({ request: { approvalScopes: [...scopes] } }) } }
export const LowRisk: Story = { args: { interaction: approval({ request: { risk: 'low' } }) } }
export const MediumRisk: Story = { args: { interaction: approval({ request: { risk: 'medium' } }) } }
/** High risk: the button is held for a second. */
export const Dangerous: Story = {
  args: {
    interaction: approval({
      request: {
        risk: 'high',
        prompt: 'Delete the production database?',
        labels: { approve: 'Delete the database', deny: 'Keep it' },
        args: { database: 'orders', region: 'eu-1' },
        facts: [{ label: 'Cannot be undone', tone: 'danger' }],
      },
    }),
  },
}
/** The consequences of an approval, in the words of the application. */
export const Facts: Story = {
  args: {
    interaction: approval({
      request: {
        risk: 'medium',
        facts: [
          { label: 'Cannot be undone', tone: 'danger' },
          { label: '2 files changed today', tone: 'warning' },
          { label: 'Last backup', value: 'today, 6:00', tone: 'good' },
          { label: 'Folder', value: 'shared by 4 people' },
        ],
      },
    }),
  },
}
/** Text, lists, money, dates, yes and no, and an object in an object. The exact JSON is one press away. */
export const ReadableArguments: Story = {
  args: {
    interaction: approval({
      toolName: 'send_email',
      request: {
        ...{ prompt: 'Send the offer to three customers?', requester: { name: 'Sales agent' }, editable: true },
        ...{ labels: { approve: 'Send e-mail', deny: 'Do not send' }, risk: 'medium' },
        ...{ approvalScopes: [...scopes], approvalCovers: 'tool' },
        facts: [{ label: '3 recipients outside your company', tone: 'warning' }],
        args: {
          to: ['ada@example.com', 'grace@example.org', 'alan@example.net'],
          subject: 'Your offer, valid until March',
          body: 'Dear customer,\n\nas discussed, here is our offer.\n\nKind regards\nSales',
          valid_until: '2026-03-31',
          amount_cents: 1_249_900,
          currency: 'EUR',
          track_opens: false,
          headers: { reply_to: 'sales@example.com', priority: 1 },
        },
      },
    }),
  },
}
/** Keys and values that try to look like others. */
export const HostileArguments: Story = {
  args: {
    interaction: approval({
      request: {
        args: {
          ...{ firstName: 'Ada', first_name: 'Mallory', 'p\u0430y': 1, note: 'invoice\u202Efdp.exe', agreed: 'No' },
          ...{ count: 12_500, code: '12.500', long: 'x'.repeat(900), nested: { a: { b: { c: { d: 1 } } } } },
        },
      },
    }),
  },
}
/** The request has no prompt, so the card asks about the tool. */
export const WithoutPrompt: Story = {
  args: {
    interaction: approval({
      toolName: 'restart_server',
      request: { prompt: undefined, labels: undefined, args: { host: 'web-1', timeoutMs: 30_000 } },
    }),
  },
}
/** High risk where the application asks for a name. */
export const TypeToConfirm: Story = {
  args: {
    interaction: approval({
      toolName: 'delete_table',
      request: {
        ...{ risk: 'high', prompt: 'Delete the table of orders?', args: { table: 'orders', rows: 1_250_000 } },
        labels: { approve: 'Delete the table', deny: 'Keep it' },
        facts: [{ label: 'Cannot be undone', tone: 'danger' }],
      },
    }),
  },
}
export const PartlyApproved: Story = {
  args: {
    interaction: answered(
      approval({
        toolName: 'edit_files',
        request: {
          prompt: 'Apply these changes?',
          labels: { approve: 'Apply', deny: 'Discard' },
          args: undefined,
          diff,
        },
      }),
      { action: 'approve', diffDecisions: { h1: 'accept', h2: 'reject', h3: 'accept' } },
    ),
  },
}
export const ApprovedForTheChat: Story = {
  args: {
    interaction: answered(approval({ request: { approvalScopes: [...scopes], approvalCovers: 'request' } }), {
      action: 'approve',
      approvalScope: 'session',
    }),
  },
}
/** A remembered approval has answered: the person pressed no button for this question. */
export const AllowedByRule: Story = {
  args: {
    interaction: answered(approval(), { action: 'approve', approvalScope: 'always', coveredBy: 'q0' }, { here: false }),
  },
}
/** The tool has no schema for editing: the fields are derived from the values. */
export const EditableValues: Story = {
  args: {
    interaction: approval({
      toolName: 'send_email',
      request: {
        editable: true,
        prompt: 'Send this offer?',
        labels: { approve: 'Send', deny: 'Do not send' },
        args: {
          to: ['ada@example.com', 'grace@example.org'],
          subject: 'Our offer',
          body: 'Hello,\n\nplease find our offer below.\n\nKind regards',
          amount_cents: 1_249_900,
          ...{ currency: 'EUR', valid_until: '2026-03-31', ask_for_receipt: true },
          follow_up: { after_days: 3, by: 'ada@example.com', template: null },
        },
      },
    }),
  },
  async play({ canvas, userEvent }) {
    await userEvent.click(await canvas.findByRole('button', { name: 'Edit' }))
    await expect(await canvas.findByRole('textbox', { name: 'Subject' })).toBeVisible()
    await userEvent.type(canvas.getByRole('textbox', { name: 'Subject' }), ' of today')
    await expect(canvas.getByRole('button', { name: 'Send with changes' })).toBeVisible()
  },
}
export const EditableFields: Story = {
  args: {
    interaction: approval({
      request: {
        editable: true,
        prompt: 'Send this message?',
        labels: { approve: 'Send', deny: 'Do not send' },
        args: { channel: 'general', text: 'Hello all', notify: true },
        argsSchema: {
          type: 'form',
          fields: [
            { id: 'channel', type: 'text', label: 'Channel', required: true },
            { id: 'text', type: 'textarea', label: 'Text', required: true },
            { id: 'notify', type: 'checkbox', label: 'Notify all members' },
          ],
        },
      },
    }),
  },
}
/** The editor open, and something changed in it. */
export const Edited: Story = {
  args: EditableFields.args!,
  async play({ canvas, userEvent }) {
    await userEvent.click(await canvas.findByRole('button', { name: 'Edit' }))
    await userEvent.type(canvas.getByLabelText(/Channel/), '-2')
    await expect(canvas.getByText('Edited by you. Counts just this time.')).toBeVisible()
    await expect(canvas.getByRole('button', { name: 'Send with changes' })).toBeVisible()
  },
}
export const Diff: Story = {
  args: {
    interaction: approval({
      toolName: 'edit_files',
      request: { prompt: 'Apply these changes?', labels: { approve: 'Apply', deny: 'Discard' }, args: undefined, diff },
    }),
  },
}
export const LargeDiff: Story = {
  args: {
    interaction: approval({
      toolName: 'edit_files',
      request: {
        prompt: 'Apply these changes?',
        labels: { approve: 'Apply', deny: 'Discard' },
        args: undefined,
        diff: largeDiff,
      },
    }),
  },
  async play({ canvas, userEvent }) {
    await userEvent.click(canvas.getByRole('button', { name: 'Show 21 unchanged lines' }))
    await expect(canvas.getByText('const price1 = 0')).toBeVisible()
    await userEvent.click(canvas.getByRole('button', { name: 'Show less' }))
  },
}
export const LongArguments: Story = {
  args: {
    interaction: approval({
      request: { args: { files: Array.from({ length: 60 }, (_, n) => `drafts/file-${n + 1}.md`) } },
    }),
  },
}
export const LongText: Story = {
  args: {
    interaction: approval({
      request: {
        prompt: hostile.long,
        labels: {
          approve: 'Delete every file that has not been opened since the beginning of last year',
          deny: 'Keep every one of them for now',
        },
      },
    }),
  },
}
export const HostileText: Story = {
  args: {
    interaction: approval({
      toolName: 'pay\u202Eyap',
      request: {
        prompt: `${hostile.turned}\n${hostile.html}`,
        requester: { name: hostile.html },
        args: { to: hostile.turned, note: hostile.html },
      },
    }),
  },
}

/** Enter in the reason makes a line; only a button answers. */
export const WithReason: Story = {
  args: { interaction: approval(), onRespond: fn(async () => ({ status: 'accepted' as const })) },
  async play({ args, canvas, userEvent }) {
    await userEvent.click(canvas.getByText('Add a reason'))
    await userEvent.type(canvas.getByLabelText('Reason (optional)'), 'Still in use{Enter}Ask me tomorrow')
    await expect(args.onRespond).not.toHaveBeenCalled()
    await userEvent.click(canvas.getByRole('button', { name: 'Keep files' }))
    await expect(args.onRespond).toHaveBeenCalledTimes(1)
    await expect(args.onRespond).toHaveBeenCalledWith({
      action: 'deny',
      reason: 'Still in use\nAsk me tomorrow',
    })
  },
}

/** A settled card, opened: what was asked, what ran, and why. */
export const AnsweredOpened: Story = {
  args: {
    interaction: answered(approval({ request: { editable: true } }), {
      action: 'approve',
      args: { files: ['drafts/notes.md'] },
      reason: 'The others are still in use.',
    }),
  },
  async play({ canvas, userEvent }) {
    await userEvent.click(await canvas.findByText(/^Approved with changes/))
    await expect(canvas.getByText('The others are still in use.')).toBeVisible()
  },
}

/** Put together from parts, with an element of the application's own. */
export const FromParts: Story = {
  args: { interaction: approval() },
  render: (args) => (
    <ApprovalDialog.Root {...args}>
      <ApprovalDialog.Prompt asChild>
        <h3>Delete 3 files?</h3>
      </ApprovalDialog.Prompt>
      <ApprovalDialog.Arguments />
      <ApprovalDialog.Actions>
        <ApprovalDialog.Deny>No</ApprovalDialog.Deny>
        <ApprovalDialog.Approve>Yes, delete</ApprovalDialog.Approve>
      </ApprovalDialog.Actions>
      <ApprovalDialog.Outcome />
    </ApprovalDialog.Root>
  ),
}
