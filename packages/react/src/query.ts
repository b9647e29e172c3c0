export { useConnections } from './inbox/use-connections.ts'
export { useInbox } from './inbox/use-inbox.ts'
