import { createHoldpointClient, sse } from '@holdpoint/core'
import type { Meta, StoryObj } from '@storybook/react-vite'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { useState } from 'react'
import { expect, userEvent, waitFor } from 'storybook/test'
import { Inbox } from '../inbox/inbox.tsx'
import { useInbox } from '../inbox/use-inbox.ts'
import { ToolInteraction } from '../interaction-view/tool-interaction.tsx'
import { approval } from '../testing/interactions.ts'
import { StoryFrame, storyClock } from '../testing/story-frame.tsx'
import { httpServer } from './http-server.ts'

const meta = { title: 'Examples/Over HTTP' } satisfies Meta

export default meta
type Story = StoryObj<typeof meta>

function connected() {
  const server = httpServer({ events: [approval().request] })
  const transport = sse({ url: '/holdpoint', fetch: server.fetch })
  const client = createHoldpointClient({ sessionId: 'session-1', transport, environment: { now: storyClock.now } })
  return { client, server, transport }
}

function Session({ offline = false }: { offline?: boolean }) {
  const [{ client, server }] = useState(connected)
  server.offline(offline)
  return (
    <StoryFrame client={client}>
      <ToolInteraction toolCallId="call-1" />
    </StoryFrame>
  )
}

const part = (root: HTMLElement, slot: string) => root.querySelector<HTMLElement>(`[data-slot="${slot}"]`)

/** The question arrives over server-sent events, the answer is sent as a POST, and the outcome arrives with the log. */
export const AskedAndAnswered: Story = {
  render: () => <Session />,
  async play({ canvasElement }) {
    await waitFor(() => expect(part(canvasElement, 'deny')).not.toBeNull())
    await userEvent.click(part(canvasElement, 'deny')!)
    await waitFor(() => expect(part(canvasElement, 'outcome')).toHaveTextContent('Denied: '))
  },
}

/** The server cannot be reached: nothing is lost, and it can be sent again. */
export const NotReached: Story = {
  render: () => <Session offline />,
  async play({ canvasElement }) {
    await waitFor(() => expect(part(canvasElement, 'deny')).not.toBeNull())
    await userEvent.click(part(canvasElement, 'deny')!)
    await waitFor(() => expect(part(canvasElement, 'retry')).not.toBeNull(), { timeout: 15_000 })
  },
}

function EverySession() {
  const [{ server, transport }] = useState(connected)
  const inbox = useInbox({ url: '/holdpoint', fetch: server.fetch })
  return <Inbox items={inbox.items} transport={transport} hrefOf={({ sessionId }) => `#${sessionId}`} />
}

function Application() {
  const [queries] = useState(() => new QueryClient())
  return (
    <QueryClientProvider client={queries}>
      <EverySession />
    </QueryClientProvider>
  )
}

/** The open questions of all sessions, each of which can be answered in place. */
export const InboxOfAllSessions: Story = {
  render: () => <Application />,
  async play({ canvasElement }) {
    await waitFor(() => expect(canvasElement.querySelectorAll('[data-slot="card"]')).toHaveLength(1))
    await expect(canvasElement.querySelectorAll('[role="option"]')).toHaveLength(2)
    await userEvent.click(part(canvasElement, 'deny')!)
    await waitFor(() => expect(part(canvasElement, 'outcome')).toHaveTextContent('Denied: '))
  },
}
