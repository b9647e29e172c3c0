import type { Environment } from '../../base/environment.ts'
import type { Logger } from '../../base/logger.ts'
import type { Principal } from '../../base/principal.ts'
import type { GuardedFetch } from '../../security/outbound/guarded-fetch.ts'
import type { RefreshTimes } from '../../security/refresh-decision.ts'
import type { VaultKey } from '../../security/vault.ts'
import type { Store } from '../../store/port.ts'
import type { Provider } from '../oauth/provider.ts'
import type { AskHandler } from './ask-types.ts'

/** Something about an account changed. */
export interface Change {
  type: 'connected' | 'disconnected' | 'expired'
  owner: Principal
  integration: string
}

/** For your audit log: ids and outcomes, never a token, a code or a name. */
export type ConnectionEvent =
  | { type: 'connected' | 'disconnected' | 'expired'; userId: string; tenant?: string; integration: string }
  /** A user or browser that did not begin the flow returned with it. */
  | {
      type: 'flow_refused'
      integration: string
      reason: 'different_user' | 'different_browser' | 'different_service' | 'different_account'
      startedBy?: string
      finishedBy?: string
    }
  | { type: 'signed_in'; userId: string; tenant?: string; integration: string }
  | { type: 'signed_out'; userId: string; tenant?: string }
  /** An old refresh token was used, so its family was ended. */
  | { type: 'refresh_token_reused'; userId: string }

/** The options of `createConnections`. */
export interface ConnectionsOptions {
  /** The same store as Holdpoint's, or one of its own. */
  store: Store
  providers: readonly Provider[]
  /** Encrypts tokens; the first key encrypts, all decrypt. */
  vaultKeys: readonly VaultKey[]
  /** Where browsers reach the handler: `https://app.example.com/holdpoint`. Register `<baseUrl>/connections/callback/<service>` at each service. */
  baseUrl: string
  /**
   * Returns the signed-in user of a browser. Without it, or if it returns null, an interstitial page asks before a flow
   * begins.
   */
  authenticate?: (request: Request) => Principal | null | undefined | Promise<Principal | null | undefined>
  /**
   * Signs session tokens for command-line tools. 32 bytes or more each; the first signs. Without it no user signs in
   * through a service.
   */
  sessionSecrets?: readonly (string | Uint8Array)[]
  /** Pages elsewhere that may call the endpoints, and that a flow may return to. The base URL's own origin always may. */
  allowedOrigins?: readonly string[]
  /**
   * Host names that are answered, besides the base URL's own: the same rule as `security.allowedHosts` of `createHoldpoint`.
   *
   * @default 'any' in production, else 'local'
   */
  allowedHosts?: readonly string[] | 'local' | 'any'
  /** Named on the interstitial page. */
  appName?: string
  /**
   * Your user for a person who signs in with a service; `<integration>:<personId>` by default. Null denies the sign-in.
   */
  identify?: (who: {
    integration: string
    personId: string
    user: Readonly<Record<string, string>>
  }) => Principal | null | Promise<Principal | null>
  /** Answers `POST /ask`. */
  ask?: AskHandler
  /** An account was connected, disconnected or expired. A Holdpoint in this process is notified without it. */
  onChange?: (change: Change) => void
  onEvent?: (event: ConnectionEvent) => void
  /**
   * Accepts a bare `session_id` as proof in list, connect and disconnect, as old clients send it. A person who learns
   * the id can then see and end the user's connections.
   */
  legacySessionIds?: boolean
  /** Lets providers be on `http://127.0.0.1`. Whether NODE_ENV is `development` unless given. */
  development?: boolean
  /** Requests to services; guarded against private addresses and redirects unless given. */
  fetch?: GuardedFetch
  /** Limit of new flows in one process; 60 at once and 2 a second by default. */
  connectLimit?: { burst: number; perSecond: number }
  refreshTimes?: Partial<RefreshTimes>
  logger?: Logger
  environment?: Partial<Environment>
  /** The clock for session tokens, in milliseconds; `Date.now` by default. Everything else uses the store's clock. */
  now?: () => number
}
