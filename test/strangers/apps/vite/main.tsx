import { memoryTransport, recordedPeer } from '@holdpoint/core/testing'
import { createHoldpointClient } from '@holdpoint/core'
import { HoldpointProvider, InteractionView, useInteractions } from '@holdpoint/react'
import '@holdpoint/react/styles.css'
import { createRoot } from 'react-dom/client'

const timestamp = new Date().toISOString()
const peer = recordedPeer({
  sessionId: 'chat',
  events: [
    { type: 'run_status', timestamp, sessionId: 'chat', runId: 'run', status: 'awaiting_approval' },
    {
      type: 'interaction_request',
      timestamp,
      sessionId: 'chat',
      runId: 'run',
      interactionId: 'i1',
      toolCallId: 'call',
      toolName: 'remove',
      interactionType: 'approval',
      prompt: 'Delete it?',
      timeoutMs: 600_000,
      expiresAt: new Date(Date.now() + 600_000).toISOString(),
      attempt: 1,
    },
  ],
})
const client = createHoldpointClient({ sessionId: 'chat', transport: memoryTransport(peer) })

function Questions() {
  return useInteractions().map((one) => <InteractionView key={one.interactionId} interaction={one} />)
}

createRoot(document.getElementById('root') as HTMLElement).render(
  <HoldpointProvider client={client}>
    <Questions />
  </HoldpointProvider>,
)
