import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect, within } from 'storybook/test'
import { PasteCall } from './paste-call.tsx'
import { StateMatrix } from './state-matrix.tsx'
import { ThemeBuilder } from './theme-builder.tsx'

const meta = { title: 'Design tools', tags: ['!autodocs'], parameters: { layout: 'fullscreen' } } satisfies Meta

export default meta

/** Every card in every state, side by side. */
export const StateMatrixOfAllCards: StoryObj<typeof StateMatrix> = {
  name: 'State matrix',
  // Each state is a story of its own, and tested there. All of them at once take axe half a minute.
  parameters: { a11y: { test: 'off' } },
  render: (args) => <StateMatrix {...args} />,
  args: { themes: 'light and dark', width: 360 },
  argTypes: {
    themes: { control: 'inline-radio', options: ['light', 'dark', 'light and dark'] },
    width: { control: { type: 'range', min: 240, max: 560, step: 20 } },
  },
  async play({ canvasElement, userEvent }) {
    const canvas = within(canvasElement)
    await userEvent.click(canvas.getByRole('button', { name: 'Form' }))
    await expect(canvas.queryByText('The accounts card has no such state.')).toBeNull()
    await userEvent.click(canvas.getByRole('button', { name: 'All cards' }))
  },
}

/** A look of your own, as CSS to copy. */
export const ThemeBuilderPage: StoryObj = {
  name: 'Theme builder',
  render: () => <ThemeBuilder />,
  async play({ canvasElement, userEvent }) {
    const canvas = within(canvasElement)
    await userEvent.click(canvas.getByRole('button', { name: 'Forest' }))
    await expect(canvas.getByText(/--hp-color-accent: light-dark\(#0b6b4f, #6fe0bb\)/)).toBeVisible()
    await expect(canvas.getByText('Contrast: all pairs reach WCAG AA.')).toBeVisible()
    // A visitor starts with our own theme.
    await userEvent.click(canvas.getByRole('button', { name: 'Holdpoint' }))
  },
}

/** A tool call of your own, as a card. */
export const PasteAToolCall: StoryObj = {
  name: 'Paste your tool call',
  render: () => <PasteCall />,
  async play({ canvasElement, userEvent }) {
    const canvas = within(canvasElement)
    await expect(canvas.getByRole('heading', { name: 'Allow “Send invoice”?' })).toBeVisible()
    await userEvent.type(canvas.getByLabelText(/A tool call/), 'x')
    await expect(canvas.getByText(/This is not JSON/)).toBeVisible()
    // A visitor sees the card.
    await userEvent.type(canvas.getByLabelText(/A tool call/), '{Backspace}')
    await expect(canvas.getByRole('heading', { name: 'Allow “Send invoice”?' })).toBeVisible()
  },
}
