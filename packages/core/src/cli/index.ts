export { createAccountsClient } from './create-accounts-client.ts'
export type { AccountsClient, AskResponse } from './types.ts'
