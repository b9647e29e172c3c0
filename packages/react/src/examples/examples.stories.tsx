import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect, userEvent, waitFor } from 'storybook/test'
import { ApprovalDialog } from '../approval-dialog/approval-dialog.tsx'
import { InputForm } from '../input-form/input-form.tsx'
import { approval, form } from '../testing/interactions.ts'
import { StoryFrame } from '../testing/story-frame.tsx'
import { Chat } from './chat.tsx'

const meta = { title: 'Examples', parameters: { layout: 'fullscreen' } } satisfies Meta

export default meta
type Story = StoryObj<typeof meta>

const card = (root: HTMLElement, id: string) => {
  const found = root.querySelector<HTMLElement>(`[data-interaction-id="${id}"]`)
  if (!found) throw new Error(`No card ${id}`)
  return found
}
const part = (root: HTMLElement, slot: string) => {
  const found = root.querySelector<HTMLElement>(`[data-slot="${slot}"]`)
  if (!found) throw new Error(`No part ${slot}`)
  return found
}

/** A conversation with a server in the page. Send the form to `ada@exmaple.com` to be asked again. */
export const Conversation: Story = { render: () => <Chat /> }

/** Everything by keyboard: deny one, answer another. */
export const ByKeyboard: Story = {
  render: () => <Chat />,
  async play({ canvasElement }) {
    await waitFor(() => card(canvasElement, 'edit'))
    part(card(canvasElement, 'edit'), 'deny').focus()
    await userEvent.keyboard('{Enter}')
    await waitFor(() => expect(card(canvasElement, 'edit').dataset.state).toBe('answered-here'))
    card(canvasElement, 'form').querySelector('input')?.focus()
    await userEvent.keyboard('ada@example.com{Enter}')
    await waitFor(() => expect(card(canvasElement, 'form').dataset.state).toBe('answered-here'))
  },
}

/** Asked again: the same card, the same words in it, the error at its field. */
export const AskedAgain: Story = {
  render: () => <Chat />,
  async play({ canvasElement }) {
    await waitFor(() => card(canvasElement, 'form'))
    await userEvent.type(card(canvasElement, 'form').querySelector('input')!, 'ada@exmaple.com{Enter}')
    await waitFor(() => expect(card(canvasElement, 'form-2').dataset.state).toBe('reprompted'))
    await expect(card(canvasElement, 'form-2').querySelector('input')).toHaveValue('ada@exmaple.com')
  },
}

/** Opened by the person, left by Escape; the question waits on. */
export const LargerView: Story = {
  parameters: { layout: 'padded' },
  render: () => (
    <ApprovalDialog interaction={approval({ request: { approvalScopes: ['once', 'session', 'always'] } })} />
  ),
  async play({ canvasElement }) {
    await userEvent.click(part(canvasElement, 'pop-out'))
    await waitFor(() => expect(part(document.body, 'pop-out-view')).toBeVisible())
    await waitFor(() => expect(part(document.body, 'deny')).toHaveFocus())
  },
}

export const LargerForm: Story = {
  parameters: { layout: 'padded' },
  render: () => <InputForm interaction={form()} />,
  async play({ canvasElement }) {
    await userEvent.click(part(canvasElement, 'pop-out'))
    await waitFor(() => expect(part(document.body, 'pop-out-view')).toBeVisible())
  },
}

/** An application's own controls in place of ours. */
export const OwnControls: Story = {
  parameters: { layout: 'padded' },
  render: () => (
    <StoryFrame
      slots={{
        Button: ({ variant, ...props }) => <button data-own={variant} {...props} />,
        Icon: ({ name }) => <span>{name === 'approval' ? '✋' : '•'}</span>,
      }}
    >
      <ApprovalDialog interaction={approval()} />
    </StoryFrame>
  ),
  async play({ canvasElement }) {
    await expect(canvasElement.querySelector('[data-own="primary"]')).toHaveTextContent('Delete 3 files')
    await expect(canvasElement).toHaveTextContent('✋')
  },
}

/** The tokens of shadcn/ui, as an application sets them. */
export const ShadcnTheme: Story = {
  parameters: { layout: 'padded' },
  render: () => (
    <div className="shadcn-page" data-hp-tokens="shadcn">
      <ApprovalDialog interaction={approval({ request: { approvalScopes: ['once', 'always'] } })} />
      <InputForm interaction={form({ interactionId: 'q2' })} />
    </div>
  ),
}

/** Everything that depends on the tokens follows them. */
export const OwnTokens: Story = {
  parameters: { layout: 'padded' },
  render: () => (
    <div className="own-tokens">
      <ApprovalDialog interaction={approval()} />
    </div>
  ),
}
