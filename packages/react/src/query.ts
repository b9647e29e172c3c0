export { useInbox, useInboxHistory } from './inbox/use-inbox.ts'
export { useAccounts } from './settings-page/use-accounts.ts'
