import '@holdpoint/react/devtools.css'
import { createHoldpointClient } from '@holdpoint/core'
import { memoryTransport, recordedPeer } from '@holdpoint/core/testing'
import type { Meta, StoryObj } from '@storybook/react-vite'
import { useEffect, useState } from 'react'
import { expect, waitFor } from 'storybook/test'
import { HoldpointProvider } from '../settings/provider.tsx'
import { approval, NOW } from '../testing/interactions.ts'
import { HoldpointDevtools } from './devtools.tsx'

const meta = {
  title: 'Devtools/HoldpointDevtools',
  component: HoldpointDevtools,
  parameters: { layout: 'fullscreen' },
} satisfies Meta<typeof HoldpointDevtools>

export default meta
type Story = StoryObj<typeof meta>

const question = approval().request
const { interactionId, toolCallId } = question
const call = { runId: 'run-1', toolCallId, toolName: 'delete_files' }
const EVENTS = [
  { type: 'run_status', runId: 'run-1', status: 'running' },
  { type: 'tool_call_start', ...call, input: { token: 'hunter2' } },
  question,
  {
    type: 'interaction_response',
    ...{ interactionId, toolCallId, action: 'approve', respondedBy: { userId: 'ada', clientId: 'x' } },
  },
  { type: 'tool_call_complete', ...call, status: 'completed', output: { deleted: 3 } },
]

/** A session that continues when the panel watches it. */
function Watched() {
  const [{ client, go }] = useState(() => {
    const peer = recordedPeer({ sessionId: 'session-1', now: () => NOW })
    const client = createHoldpointClient({ sessionId: 'session-1', transport: memoryTransport(peer) })
    return { client, go: () => peer.emit(...EVENTS) }
  })
  // The panel's own effect is earlier, so that it records all events.
  useEffect(() => {
    const start = () => {
      if (!client.getSnapshot().ready) return
      stop()
      go()
    }
    const stop = client.subscribe(start)
    return stop
  }, [client, go])
  return (
    <HoldpointProvider client={client}>
      <HoldpointDevtools initialIsOpen placement="inline" />
    </HoldpointProvider>
  )
}

type Play = NonNullable<Story['play']>
const recorded: Play = async ({ canvas }) => {
  await waitFor(() => expect(canvas.getByText('After event 5 of 5')).toBeVisible())
}

export const Default: Story = { render: () => <Watched />, play: recorded }

/** Without a client there is nothing to watch. */
export const NoClient: Story = { args: { initialIsOpen: true, placement: 'inline' } }

export const Questions: Story = {
  render: () => <Watched />,
  async play(context) {
    await recorded(context)
    const { canvas, userEvent } = context
    await userEvent.click(canvas.getByRole('button', { name: /delete_files/ }))
    await expect(canvas.getByText('The card now (read-only)')).toBeVisible()
  },
}

/** The panel goes back to the moment of the question. The card is the one of that moment. */
export const Replay: Story = {
  render: () => <Watched />,
  async play(context) {
    await recorded(context)
    const { canvas, userEvent } = context
    await userEvent.click(canvas.getByRole('button', { name: 'Events' }))
    await userEvent.click(canvas.getByRole('button', { name: /^3 interaction_request/ }))
    await expect(canvas.getByText('After event 3 of 5')).toBeVisible()
    await userEvent.click(canvas.getByRole('button', { name: 'Questions' }))
    await userEvent.click(canvas.getByRole('button', { name: /delete_files/ }))
    await expect(canvas.getByText('pending', { selector: '[aria-current]' })).toBeVisible()
    await waitFor(() => expect(canvas.getByText('Delete 3 files from the shared folder?')).toBeVisible())
    await userEvent.click(canvas.getByRole('button', { name: 'Live' }))
    await expect(canvas.getByText('answered', { selector: '[aria-current]' })).toBeVisible()
  },
}

/** The filter finds contents as well. Secrets are neither shown nor found. */
export const Filter: Story = {
  render: () => <Watched />,
  async play(context) {
    await recorded(context)
    const { canvas, canvasElement, userEvent } = context
    await userEvent.click(canvas.getByRole('button', { name: 'Events' }))
    await expect(canvasElement.textContent).not.toContain('hunter2')
    await userEvent.type(canvas.getByRole('searchbox', { name: 'Filter events' }), '"deleted"')
    await expect(canvas.getByText(/^1 of 5 events/)).toBeVisible()
  },
}

export const Times: Story = {
  render: () => <Watched />,
  async play(context) {
    await recorded(context)
    const { canvas, userEvent } = context
    await userEvent.click(canvas.getByRole('button', { name: 'Times' }))
    await expect(canvas.getByRole('rowheader', { name: 'delete_files' })).toBeVisible()
  },
}

export const Connection: Story = {
  render: () => <Watched />,
  async play(context) {
    await recorded(context)
    const { canvas, userEvent } = context
    await userEvent.click(canvas.getByRole('button', { name: 'Connection' }))
    await expect(canvas.getByText('open', { selector: 'bdi' })).toBeVisible()
  },
}

/** Without a mouse: open, choose a view, replay, close with Escape; the focus is on the button again. */
export const Keyboard: Story = {
  render: () => <Watched />,
  async play(context) {
    await recorded(context)
    const { canvas, userEvent } = context
    canvas.getByRole('slider').focus()
    await userEvent.keyboard('{Escape}')
    const toggle = canvas.getByRole('button', { name: 'Holdpoint devtools' })
    await expect(toggle).toHaveFocus()
    await expect(toggle).toHaveAttribute('aria-expanded', 'false')
    await userEvent.keyboard('{Enter}')
    await expect(canvas.getByRole('region', { name: 'Holdpoint devtools' })).toBeVisible()
  },
}
