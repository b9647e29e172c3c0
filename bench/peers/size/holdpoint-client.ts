/** The client, with server-sent events. */
export { createHoldpointClient, sse } from '@holdpoint/core'
