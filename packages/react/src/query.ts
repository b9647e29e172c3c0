export { useInbox, useInboxHistory } from './inbox/use-inbox.ts'
export { useConnections } from './settings-page/use-connections.ts'
