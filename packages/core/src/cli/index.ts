export { createConnectionsClient } from './create-connections-client.ts'
export type { AskReply, ConnectionsClient } from './types.ts'
