export { createConnectionsClient } from './create-connections-client.ts'
export type { AskReply, ConnectionsClient, Conversation, ServiceConnection } from './types.ts'
