/** The client, the hooks and all three cards. */
export { createHoldpointClient, sse } from '@holdpoint/core'
export { ApprovalDialog, AuthRequestCard, HoldpointProvider, InputForm } from '@holdpoint/react'
