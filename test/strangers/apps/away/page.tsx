import { createHoldpointClient, sse } from '@holdpoint/core'
import { HoldpointProvider, InteractionView, useInteractions } from '@holdpoint/react'
import { createRoot } from 'react-dom/client'

const client = createHoldpointClient({ sessionId: 'chat', transport: sse({ url: '/holdpoint' }) })

function Questions() {
  return useInteractions().map((one) => <InteractionView key={one.interactionId} interaction={one} />)
}

createRoot(document.getElementById('root') as HTMLElement).render(
  <HoldpointProvider client={client}>
    <Questions />
  </HoldpointProvider>,
)
