export type * from '../engine/api/account-provider.ts'
export { createGuardedFetch, type GuardedFetch, type GuardedFetchOptions } from '../security/outbound/guarded-fetch.ts'
export type { VaultKey } from '../security/vault.ts'
export type { BrokerAccounts, TokenOptions } from './account-provider.ts'
export { type Connections, createConnections } from './create-connections.ts'
export { type AccountFunctions, functionAccounts } from './function-accounts.ts'
export {
  type ClientCredentials,
  defineProvider,
  type ProfileDefinition,
  type Provider,
  type ProviderDefinition,
} from './oauth/provider.ts'
export * from './providers/index.ts'
export type { AskHandler, AskInput, AskTurn } from './shared/ask-types.ts'
export type { Change, ConnectionEvent, ConnectionsOptions } from './shared/options.ts'
export type * from './shared/wire.ts'
