import type { Logger } from '../../base/logger.ts'
import type { Principal } from '../../base/principal.ts'
import type { Confirmations } from '../../security/confirmations.ts'
import type { GuardedFetch } from '../../security/outbound/guarded-fetch.ts'
import type { SessionTokens } from '../../security/session-tokens.ts'
import type { Vault } from '../../security/vault.ts'
import type { RowDeps } from '../../store/shared/change-row.ts'
import type { OAuth } from '../oauth/oauth.ts'
import type { OAuthProvider } from '../oauth/provider.ts'
import type { AccountBrokerOptions, Change, ConnectionEvent } from './options.ts'

/** The services that the parts of one broker share. */
export interface Broker extends RowDeps {
  readonly options: AccountBrokerOptions
  readonly providers: ReadonlyMap<string, OAuthProvider>
  readonly vault: Vault
  readonly oauth: OAuth
  readonly fetch: GuardedFetch
  /** Null without `sessionSecrets`. Users then cannot sign in through a service. */
  readonly tokens: SessionTokens | null
  readonly confirmations: Confirmations
  readonly logger: Logger
  /** The public address of the broker, without a trailing slash. */
  readonly baseUrl: string
  /** Returns the address to which this service redirects browsers. */
  redirectUri(provider: OAuthProvider): string
  /** Reports that an account changed, so that all open questions about it are checked again. */
  changed(change: Change): void
  record(event: ConnectionEvent): void
  /** Returns the provider, or null for a service that is not configured. */
  provider(integration: string | null): OAuthProvider | null
  /** Returns the signed-in user of this browser, by the host's session library. */
  signedIn(request: Request): Promise<Principal | null>
}
