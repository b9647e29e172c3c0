export { useInbox } from './inbox/use-inbox.ts'
export { useConnections } from './settings-page/use-connections.ts'
