import type { Meta, StoryObj } from '@storybook/react-vite'
import { useState } from 'react'
import { expect, userEvent, waitFor, within } from 'storybook/test'
import { SettingsPage } from '../examples/settings-page.tsx'
import { settingsServer } from '../testing/settings-server.ts'

const meta = {
  title: 'Components/Settings',
  component: SettingsPage,
  render: () => {
    const [server] = useState(settingsServer)
    return <SettingsPage server={server} />
  },
  args: { server: settingsServer() },
} satisfies Meta<typeof SettingsPage>

export default meta
type Story = StoryObj<typeof meta>

/** The remembered approvals, the tool settings, and the accounts. */
export const Default: Story = {}
/** Each remembered approval can be revoked; the page says that the assistant asks again. */
export const AskMeAgain: Story = {
  async play({ canvasElement }) {
    const canvas = within(canvasElement)
    await userEvent.click(await canvas.findByRole('button', { name: /Ask me again: Delete files/ }))
    await waitFor(() => expect(canvas.getByText(/will ask you again/)).toBeVisible())
  },
}
