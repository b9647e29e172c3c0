import type { Meta, StoryObj } from '@storybook/react-vite'
import { useState } from 'react'
import { expect, fn } from 'storybook/test'
import { formArgTypes } from '../testing/arg-types.ts'
import { formPage } from '../testing/checks/component-docs.ts'
import { allFields, answered, form } from '../testing/interactions.ts'
import { delivery, special } from '../testing/special-fields.ts'
import { everyState, hostile } from '../testing/states.ts'
import type { InputFormProps } from './form-card.tsx'
import { InputForm } from './input-form.tsx'

const meta = {
  title: 'Components/InputForm',
  component: InputForm,
  parameters: formPage,
  argTypes: formArgTypes,
} satisfies Meta<typeof InputForm>

export default meta
type Story = StoryObj<typeof meta>

const states = everyState(form(), { action: 'submit', input: { email: 'ada@example.com', copies: 3 } })
const everything = form({ request: { prompt: 'Set up the report.', inputSchema: { type: 'form', fields: allFields } } })

export const Default: Story = { args: { interaction: form() } }

export const Loading: Story = { args: states.Loading! }
export const Pending: Story = { args: states.Pending! }
export const Submitting: Story = { args: states.Submitting! }
export const NotSent: Story = { args: states.NotSent! }
export const Answered: Story = { args: states.Answered! }
export const AnsweredElsewhere: Story = { args: states.AnsweredElsewhere! }
export const Declined: Story = { args: { interaction: answered(form(), { action: 'decline' }) } }
export const Expired: Story = { args: states.Expired! }
export const Cancelled: Story = { args: states.Cancelled! }
export const Superseded: Story = { args: states.Superseded! }
export const ToolFailed: Story = { args: states.ToolFailed! }
export const Reprompted: Story = {
  args: {
    interaction: form({
      interactionId: 'q2',
      replaces: 'q1',
      request: {
        attempt: 2,
        error: 'This address does not exist.',
        initialValues: { email: 'ada@exmaple.com', copies: 3 },
        fieldErrors: { email: ['No mail server answers at exmaple.com.'] },
      },
    }),
  },
}
export const ReadOnly: Story = { args: states.ReadOnly! }
export const MayNotAnswer: Story = { args: states.MayNotAnswer! }
export const Disconnected: Story = { args: states.Disconnected! }
export const SignedOut: Story = { args: states.SignedOut! }
export const Deferred: Story = { args: states.Deferred! }
export const TimeRunningOut: Story = { args: states.TimeRunningOut! }

export const EveryFieldType: Story = { args: { interaction: everything } }
export const SeveralProblems: Story = {
  args: {
    interaction: {
      ...everything,
      problem: {
        code: 'invalid_input',
        message: 'Some answers are not valid',
        fieldErrors: {
          name: ['Give an answer.'],
          email: ['This address is taken.'],
          size: ['Choose one of the options.'],
        },
      },
    },
  },
}
/** Handed in with nothing in it: a summary with links has focus. */
export const NothingFilledIn: Story = {
  args: { interaction: everything, onRespond: fn(async () => ({ status: 'accepted' as const })) },
  async play({ args, canvas, userEvent }) {
    await userEvent.click(canvas.getByRole('button', { name: 'Send' }))
    await expect(canvas.getByText('3 answers need another look')).toBeVisible()
    await expect(args.onRespond).not.toHaveBeenCalled()
  },
}
/** A checkbox with `const: true`: without the tick there is no answer. */
export const MustBeTicked: Story = {
  args: {
    interaction: form({
      request: {
        prompt: 'Before the account is opened.',
        inputSchema: {
          type: 'form',
          fields: [{ id: 'terms', type: 'checkbox', label: 'I agree to the terms', required: true, const: true }],
        },
      },
    }),
    onRespond: fn(async () => ({ status: 'accepted' as const })),
  },
  async play({ args, canvas, userEvent }) {
    await userEvent.click(canvas.getByRole('button', { name: 'Send' }))
    await expect(canvas.getByText('This must be ticked.')).toBeVisible()
    await expect(args.onRespond).not.toHaveBeenCalled()
  },
}
export const CompletedWithValues: Story = {
  args: {
    interaction: answered(
      form({
        request: {
          inputSchema: { type: 'form', fields: allFields },
          completedView: { showInputs: true, summaryTemplate: 'The report goes to {{email}}, {{copies}} copies.' },
        },
      }),
      {
        action: 'submit',
        input: {
          name: 'Ada Lovelace',
          email: 'ada@example.com',
          copies: 3,
          format: 'pdf',
          topics: ['sales', 'people'],
          notify: true,
          key: { secret: true },
        },
      },
    ),
  },
}
/** The same, opened: names and values, a secret only as set. */
export const CompletedOpened: Story = {
  args: CompletedWithValues.args!,
  async play({ canvas, userEvent }) {
    await userEvent.click(await canvas.findByText(/^You answered this/))
    await expect(canvas.getByText('Ada Lovelace')).toBeVisible()
  },
}
export const Questionnaire: Story = {
  args: {
    interaction: form({
      request: {
        presentation: 'questionnaire',
        labels: { title: 'Before we start' },
        prompt: 'Which language do you prefer?',
        inputSchema: {
          type: 'form',
          fields: [
            {
              id: 'language',
              type: 'radio',
              label: 'Language',
              required: true,
              options: [
                { value: 'ts', label: 'TypeScript' },
                { value: 'py', label: 'Python' },
              ],
            },
          ],
        },
      },
    }),
  },
}

const asking = (fields: typeof delivery, request: object = {}) =>
  form({
    interactionId: 'asking',
    request: { prompt: 'How shall we deliver?', inputSchema: { type: 'form', fields }, ...request },
  })

/** Searched choices, own words, an amount, a date range and a phone number. */
export const RareFields: Story = { args: { interaction: asking(special, { prompt: 'Where is the meeting?' }) } }
export const SearchedChoice: Story = {
  args: { interaction: asking(special.slice(0, 1), { prompt: 'Which office?' }) },
  async play({ canvas, userEvent }) {
    await userEvent.type(await canvas.findByRole('combobox', { name: /^Office/ }), 'zur')
    await expect(await canvas.findByRole('option', { name: 'Zürich' })).toBeVisible()
  },
}
/** A field that depends on another one appears with its group. Only fields that are asked are sent. */
export const DependentFields: Story = {
  args: { interaction: asking(delivery) },
  async play({ canvas, userEvent }) {
    await userEvent.click(await canvas.findByLabelText('By post'))
    await expect(await canvas.findByRole('group', { name: 'Address' })).toBeVisible()
  },
}
/** A questionnaire asks one group after another, and shows all answers before it sends them. */
export const Steps: Story = {
  args: {
    interaction: asking(delivery, {
      presentation: 'questionnaire',
      initialValues: { how: 'post', street: 'Main St 1' },
    }),
  },
  async play({ canvas, userEvent }) {
    await userEvent.click(await canvas.findByRole('button', { name: 'Next' }))
    await expect(await canvas.findByText('Step 2 of 3')).toBeVisible()
  },
}
export const LastStep: Story = {
  args: Steps.args!,
  async play({ canvas, userEvent }) {
    await userEvent.click(await canvas.findByRole('button', { name: 'Next' }))
    await userEvent.type(await canvas.findByLabelText(/^City/), 'Bonn')
    await userEvent.click(canvas.getByRole('button', { name: 'Next' }))
    await expect(await canvas.findByText('Main St 1')).toBeVisible()
  },
}
export const RecordOfRareFields: Story = {
  args: {
    interaction: answered(asking(special, { completedView: { showInputs: true } }), {
      action: 'submit',
      input: {
        ...{ office: 'z-rich', also: ['oslo', 'paris'], topic: 'Parking', fee: 12_500.5, phone: '+49301234567' },
        stay: { from: '2026-01-31', to: '2026-02-03' },
      },
    }),
  },
}
export const UnknownFieldType: Story = {
  args: {
    interaction: form({
      request: {
        inputSchema: {
          type: 'form',
          // A newer server's: this version shows it as a line of text.
          fields: [{ id: 'colour', type: 'color', label: 'Colour' } as never],
        },
      },
    }),
  },
}
export const HostileText: Story = {
  args: {
    interaction: form({
      request: {
        prompt: hostile.html,
        inputSchema: {
          type: 'form',
          fields: [
            { id: 'a', type: 'text', label: hostile.turned, description: hostile.html, placeholder: hostile.turned },
            { id: 'b', type: 'select', label: hostile.html, options: [{ value: '1', label: hostile.turned }] },
            { id: 'c', type: 'radio', label: 'Long', options: [{ value: '1', label: hostile.long }] },
          ],
        },
      },
    }),
  },
}

/** A number that was typed without groups is repeated as the card has read it. */
export const EchoedNumber: Story = {
  args: {
    interaction: form({
      interactionId: 'echoed',
      request: {
        prompt: 'How much may be spent?',
        inputSchema: {
          type: 'form',
          fields: [{ id: 'amount', type: 'number', label: 'Amount in euros', required: true }],
        },
      },
    }),
  },
  async play({ canvas, userEvent }) {
    await userEvent.type(canvas.getByLabelText(/^Amount in euros/), '12,500.5')
    await expect(await canvas.findByText(/12500\.5/)).toBeVisible()
  },
}

/** A question that ended before it was sent offers what was typed for copying. */
export const KeptDraft: Story = {
  args: { interaction: form({ interactionId: 'kept-draft' }) },
  render: (args) => <Expiring {...args} />,
  async play({ canvas, userEvent }) {
    const email = canvas.getByLabelText(/^E-mail/)
    await userEvent.clear(email)
    await userEvent.type(email, 'ada@example.com')
    await userEvent.click(canvas.getByRole('button', { name: 'Let the time run out' }))
    await expect(await canvas.findByText(/was not sent/)).toBeVisible()
  },
}

function Expiring({ interaction, ...props }: InputFormProps) {
  const [over, setOver] = useState(false)
  return (
    <>
      <InputForm {...props} interaction={interaction && over ? { ...interaction, status: 'expired' } : interaction} />
      {over ? null : (
        <button type="button" onClick={() => setOver(true)}>
          Let the time run out
        </button>
      )}
    </>
  )
}
