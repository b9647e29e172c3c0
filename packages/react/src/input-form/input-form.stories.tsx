import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect, fn } from 'storybook/test'
import { formArgTypes } from '../testing/arg-types.ts'
import { formPage } from '../testing/component-docs.ts'
import { allFields, answered, form } from '../testing/interactions.ts'
import { everyState, hostile } from '../testing/states.ts'
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
export const Playground: Story = { args: { interaction: everything } }

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
