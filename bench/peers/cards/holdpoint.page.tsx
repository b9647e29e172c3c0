import { createHoldpointClient } from '@holdpoint/core'
import { memoryTransport, recordedPeer } from '@holdpoint/core/testing'
import { HoldpointProvider, useInteraction } from '@holdpoint/react'
import { createRoot } from 'react-dom/client'
import { cards, face, idOf, mounted, offer, taken, useWatched } from './card.tsx'

/** The real client: the event is checked, and goes through the state machine, before a row hears of it. */
function Row({ id }: { id: string }) {
  const interaction = useInteraction(id)
  useWatched(interaction?.status)
  if (!interaction) return null
  const { request, status } = interaction
  return face({ id, status, prompt: 'prompt' in request ? String(request.prompt) : '' })
}

const about = (n: number) => ({
  interactionId: idOf(n),
  toolCallId: `call-${n}`,
  toolName: 'delete_file',
  runId: 'run-1',
})
const stamped = () => ({ timestamp: new Date().toISOString(), sessionId: 'session-1' })
const peer = recordedPeer({ sessionId: 'session-1' })

offer({
  async mount(count) {
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString()
    const asked = cards(count).map(({ prompt }, n) => ({
      type: 'interaction_request' as const,
      ...about(n),
      ...stamped(),
      interactionType: 'approval' as const,
      prompt,
      timeoutMs: 3_600_000,
      expiresAt,
      attempt: 1,
    }))
    peer.emit(...asked)
    const client = createHoldpointClient({
      sessionId: 'session-1',
      clientId: 'tab-1',
      transport: memoryTransport(peer),
    })
    createRoot(document.body.appendChild(document.createElement('main'))).render(
      <HoldpointProvider client={client}>
        {asked.map(({ interactionId }) => (
          <Row key={interactionId} id={interactionId} />
        ))}
      </HoldpointProvider>,
    )
    await mounted(count)
  },
  change: (n) =>
    taken(() =>
      peer.emit({
        type: 'interaction_response',
        ...about(n),
        ...stamped(),
        action: 'approve',
        respondedBy: { clientId: 'other' },
      }),
    ),
})
