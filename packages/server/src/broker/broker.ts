import type { RowDeps } from '../auth/change-row.ts'
import type { Confirmations } from '../auth/confirmations.ts'
import type { GuardedFetch } from '../auth/outbound/guarded-fetch.ts'
import type { SessionTokens } from '../auth/session-tokens.ts'
import type { Vault } from '../auth/vault.ts'
import type { Logger } from '../engine/observe.ts'
import type { Principal } from '../engine/port.ts'
import type { OAuth } from './oauth.ts'
import type { Change, ConnectionEvent, ConnectionsOptions } from './options.ts'
import type { Provider } from './provider.ts'

/** What the parts of one broker share. */
export interface Broker extends RowDeps {
  readonly options: ConnectionsOptions
  readonly providers: ReadonlyMap<string, Provider>
  readonly vault: Vault
  readonly oauth: OAuth
  readonly fetch: GuardedFetch
  /** Null without `sessionSecrets`: then nobody signs in through a service. */
  readonly tokens: SessionTokens | null
  readonly confirmations: Confirmations
  readonly logger: Logger
  /** Without a trailing slash. */
  readonly baseUrl: string
  readonly redirectUri: string
  /** Something about an account changed: whoever waits for it looks again. */
  changed(change: Change): void
  record(event: ConnectionEvent): void
  /** The provider, or null for a service that is not configured. */
  provider(integration: string | null): Provider | null
  /** Who is signed in in this browser, by the host's session library. */
  signedIn(request: Request): Promise<Principal | null>
}
