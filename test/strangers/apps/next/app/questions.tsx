'use client'
import { createHoldpointClient, sse } from '@holdpoint/core'
import { HoldpointProvider, InteractionView, usePendingInteractions } from '@holdpoint/react'
import '@holdpoint/react/styles.css'

const client = createHoldpointClient({ sessionId: 'chat', transport: sse({ url: '/holdpoint' }) })
const Open = () => usePendingInteractions().map((one) => <InteractionView key={one.interactionId} interaction={one} />)

export const Questions = () => (
  <HoldpointProvider client={client}>
    <Open />
  </HoldpointProvider>
)
