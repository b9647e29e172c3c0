export { type ConnectionsResult, useConnections } from './inbox/use-connections.ts'
export { type Inbox, type InboxOptions, useInbox } from './inbox/use-inbox.ts'
