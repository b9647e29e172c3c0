import type { Principal } from '../../base/principal.ts'

/** The state of one account of one user. */
export type AccountStatus =
  | { state: 'connected'; scopes?: readonly string[]; accountId?: string; accountName?: string }
  /** Never connected, or disconnected. */
  | { state: 'missing' }
  /** The account was connected, and the service no longer accepts it. */
  | { state: 'expired' }
  /** Connected with fewer scopes than asked for. */
  | { state: 'scopes'; scopes: readonly string[] }

/** The data that a provider needs to begin a flow and to return the person afterwards. */
export interface StartOptions {
  scopes?: readonly string[]
  /** The address to which the browser returns; already checked against the allowed origins. */
  returnTo?: string
  /** The allowed origins of the server and the request's own one: a provider that checks `returnTo` again uses these. */
  trustedOrigins?: readonly string[]
  flowId: string
  /** The run that waits, to be carried through the return link as `generation_id`. */
  generationId?: string
}

/**
 * The port between a waiting tool and whatever holds accounts: our broker, better-auth, Auth0, Nango, or three
 * functions of your own. When something changed that a provider without `changes` cannot notice, call
 * `holdpoint.accounts.changed({ userId, integration })`.
 */
export interface AccountProvider {
  status(principal: Principal, integration: string, scopes?: readonly string[]): Promise<AccountStatus>
  start(
    principal: Principal,
    integration: string,
    options: StartOptions,
  ): Promise<{ url: string } | { clientToken: string }>
  /** A token that works now. Called when used; never recorded. */
  token(principal: Principal, integration: string, scopes?: readonly string[]): Promise<string>
  /** A tool got a 401 with this token: refresh it on the next request, or mark the account as expired. */
  reject?(principal: Principal, integration: string, token: string): Promise<void>
  /**
   * Registers a listener for changes of accounts in this process, for drivers that notice them; `createHoldpoint` uses
   * it. Returns an unsubscribe function.
   */
  changes?(listener: (change: { owner: Principal; integration: string }) => void): () => void
}
