import type { Environment } from '../../base/environment.ts'
import type { Logger } from '../../base/logger.ts'
import type { Principal } from '../../base/principal.ts'
import type { GuardedFetch } from '../../security/outbound/guarded-fetch.ts'
import type { RefreshTimes } from '../../security/refresh-decision.ts'
import type { VaultKey } from '../../security/vault.ts'
import type { Store } from '../../store/port.ts'
import type { OAuthProvider } from '../oauth/provider.ts'
import type { AskHandler } from './ask-types.ts'

/** A change of an account. */
export interface Change {
  type: 'connected' | 'disconnected' | 'expired'
  owner: Principal
  integration: string
}

/** An event for your audit log. It contains ids and outcomes, never a token, a code or a name. */
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

/** The options of `createAccountBroker`. */
export interface AccountBrokerOptions {
  /** Holdpoint's store, or a separate one. */
  store: Store
  providers: readonly OAuthProvider[]
  /** Encrypts tokens; the first key encrypts, all decrypt. */
  vaultKeys: readonly VaultKey[]
  /**
   * The public address of the handler: `https://app.example.com/holdpoint`. Register
   * `<baseUrl>/connections/callback/<service>` at each service.
   */
  baseUrl: string
  /**
   * Returns the signed-in user of a browser. Without it, or if it returns null, an interstitial page asks before a flow
   * begins.
   */
  authenticate?: (request: Request) => Principal | null | undefined | Promise<Principal | null | undefined>
  /**
   * Secrets for the session tokens of command-line tools, each of 32 bytes or more. The first one signs, all verify.
   * Without secrets, users cannot sign in through a service.
   */
  sessionSecrets?: readonly (string | Uint8Array)[]
  /**
   * Other origins whose pages may call the endpoints, and to which a flow may return. The base URL's own origin is
   * always allowed.
   */
  allowedOrigins?: readonly string[]
  /**
   * Host names under which the endpoints answer, besides the base URL's own. The rule is that of
   * `security.allowedHosts` of `createHoldpoint`.
   *
   * @default 'any' in production, else 'local'
   */
  allowedHosts?: readonly string[] | 'local' | 'any'
  /** The name of your app on the interstitial page. */
  appName?: string
  /**
   * Returns your user for a person who signs in with a service. Return null to deny the sign-in.
   *
   * @default the user id `<integration>:<personId>`
   */
  identify?: (who: {
    integration: string
    personId: string
    user: Readonly<Record<string, string>>
  }) => Principal | null | Promise<Principal | null>
  /** Handles `POST /ask`. */
  ask?: AskHandler
  /**
   * Called when an account was connected, disconnected or expired. A Holdpoint in this process is notified without it.
   */
  onChange?: (change: Change) => void
  onEvent?: (event: ConnectionEvent) => void
  /**
   * Accepts a `session_id` without a token as a credential in list, connect and disconnect, as old clients send it. A
   * person who learns the id can then list and disconnect the user's accounts.
   */
  legacySessionIds?: boolean
  /**
   * True to allow providers on `http://127.0.0.1`.
   *
   * @default true if NODE_ENV is `development`
   */
  development?: boolean
  /**
   * Sends the requests to services.
   *
   * @default a fetch that rejects private addresses and redirects
   */
  fetch?: GuardedFetch
  /**
   * Limits new flows for each session or address, in one process. Behind a proxy, all programs without a session have
   * the proxy's address and share one limit, so limit them by address in the proxy too.
   *
   * @default { burst: 60, perSecond: 2 }
   */
  connectLimit?: { burst: number; perSecond: number }
  refreshTimes?: Partial<RefreshTimes>
  logger?: Logger
  environment?: Partial<Environment>
  /**
   * The clock for session tokens and limits, in milliseconds. Everything else uses the store's clock.
   *
   * @default Date.now
   */
  now?: () => number
}
