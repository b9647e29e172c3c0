export { createAccountsClient } from './create-accounts-client.ts'
export type { AccountsClient, AskReply } from './types.ts'
