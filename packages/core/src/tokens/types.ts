import type { ClientEnvironment } from '../client/api/types.ts'

/** The tokens of one account. A plain value: keep it out of logs. */
export interface TokenSet {
  readonly accessToken: string
  readonly refreshToken?: string
  /** Milliseconds of this machine's clock. Unknown: refreshed only after a 401. */
  readonly expiresAt?: number
  /** When it was received, by the same clock; with it, short-lived tokens are not refreshed all the time. */
  readonly obtainedAt?: number
  readonly scopes?: readonly string[]
}

/** The data of one account in a store. */
export interface AccountRecord {
  /** `count.random`, new with every write, for compare-and-set. */
  readonly version: string
  /** Null after signing out. The record stays, so that a refresh under way cannot bring the tokens back. */
  readonly tokens: TokenSet | null
  /** The tokens are gone because the service rejected them, not because the user signed out. */
  readonly lost?: boolean
  /** Data that outlives a sign-out, such as a session id. No secrets. */
  readonly data: Readonly<Record<string, string>>
}

/** The port of token stores. Its conformance suite is `@holdpoint/conformance/token-store`. */
export interface TokenStore {
  read(account: string): Promise<AccountRecord | null>
  /**
   * Writes if the stored version is still `expected` (null: no record). False: another writer was faster; read again.
   */
  write(account: string, expected: string | null, next: AccountRecord): Promise<boolean>
  /** Registers a listener for writes by another tab or process. Returns an unsubscribe function. */
  subscribe?(account: string, listener: () => void): () => void
}

/**
 * The port to a lock between tabs or processes. It only saves refreshes: correctness comes from the store's
 * compare-and-set and the server's grace window. It waits for a bounded time and never takes the lock from a live
 * holder.
 */
export interface TokenLock {
  /**
   * Runs the task exclusively among all users of this name; `held: false` if the wait timed out first, and nothing ran.
   */
  run<T>(name: string, waitMs: number, task: () => Promise<T>): Promise<{ held: true; value: T } | { held: false }>
}

/** Whether a user is signed in. Show `lost`, because only signing in again helps. */
export type TokenStatus =
  /** The store has not been read yet. */
  | 'unknown'
  | 'signed-in'
  | 'signed-out'
  /** The service no longer accepts the refresh token: the person must sign in again. */
  | 'lost'

/** Settings of `createTokenManager`. Only `refresh` is needed; the times have defaults that suit most services. */
export interface TokenManagerOptions {
  /** Which account of the store; default `default`. */
  account?: string
  store?: TokenStore
  lock?: TokenLock
  /**
   * Requests new tokens from the service. Reject with an error whose `code` or `error` is `invalid_grant` if the
   * service rejects the refresh token. Any other error counts as temporary.
   */
  refresh(tokens: TokenSet | null, context: { signal: AbortSignal }): Promise<TokenSet>
  /** Revokes tokens after a sign-out, and tokens that arrive after it. Errors are ignored. */
  revoke?(tokens: TokenSet): Promise<void>
  /** Where `fetch` may send the token. In a browser the page's own origin is the default; elsewhere there is none. */
  origins?: readonly string[]
  /** With `cookie` the refresh token is in an HttpOnly cookie, which no script sees: refreshing needs none in hand. */
  refreshBy?: 'token' | 'cookie'
  /** How long before expiry to refresh; default 5 minutes, at most a quarter of the lifetime. */
  refreshEarlyMs?: number
  /** Random additional lead time, so that clients do not refresh together; 30 seconds by default. */
  jitterMs?: number
  /** How long to leave the service alone after a failed early refresh; default 30 seconds. */
  cooldownMs?: number
  /**
   * Timeout of one refresh; 4 seconds by default. A request without response is repeated within the server's grace
   * window of 10 s.
   */
  refreshTimeoutMs?: number
  /** How long to wait for another tab or process that is refreshing; default 12 seconds. */
  lockWaitMs?: number
  environment?: Partial<ClientEnvironment>
}

/**
 * Keeps the tokens of one account fresh. Made by `createTokenManager`. It holds tokens where neither `console.log` nor
 * `JSON.stringify` shows them.
 */
export interface TokenManager {
  /** Returns a valid token. Rejects with `signed_out`, `session_lost`, or the temporary `refresh_failed`. */
  token(): Promise<string>
  /** Returns a newer token after a service rejected this one, and refreshes if necessary. */
  renew(rejected: string): Promise<string>
  /** `fetch` with the token, replayed once after a 401 if its body can be sent again. */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>
  signIn(tokens: TokenSet, data?: Readonly<Record<string, string>>): Promise<void>
  /** Wins against a refresh that is under way, here or in another process. */
  signOut(): Promise<void>
  /** Returns the data that was stored beside the tokens; it survives a sign-out. */
  data(): Promise<Readonly<Record<string, string>>>
  /** Adds to this data. A value of undefined removes its key. */
  setData(patch: Readonly<Record<string, string | undefined>>): Promise<void>
  status(): TokenStatus
  subscribe(listener: () => void): () => void
  /** Refreshes before expiry, also after the machine slept. Returns a function that stops it. */
  keepFresh(): () => void
  /** Ends timers and subscriptions. */
  close(): void
}
