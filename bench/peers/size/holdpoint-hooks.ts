/** The client and the hooks: what an application needs that draws its own cards. */
export { createHoldpointClient, sse } from '@holdpoint/core'
export { HoldpointProvider, useConnectionState, useInteraction, usePendingInteractions } from '@holdpoint/react'
