import type { Principal } from '../base/principal.ts'
import type { AccountProvider, AccountStatus, StartOptions } from '../engine/api/account-provider.ts'

/**
 * Your functions for `accountsFromFunctions`, if an existing system stores the accounts: Auth0, Nango, or a table of your
 * own.
 */
export interface AccountFunctions {
  status(principal: Principal, integration: string, scopes: readonly string[]): AccountStatus | Promise<AccountStatus>
  /**
   * Starts connecting. Returns a page to open, or a token for the service's own browser library, such as Nango's
   * Connect UI.
   */
  start(
    principal: Principal,
    integration: string,
    options: StartOptions,
  ): { url: string } | { clientToken: string } | Promise<{ url: string } | { clientToken: string }>
  token(principal: Principal, integration: string, scopes: readonly string[]): string | Promise<string>
  /** Called when the service answered 401 to this token. Refresh the token, or mark the account as expired. */
  reject?(principal: Principal, integration: string, token: string): void | Promise<void>
  /** Registers a listener for changes that your process observes itself. Returns an unsubscribe function. */
  changes?: NonNullable<AccountProvider['changes']>
}

/**
 * Wraps your own functions as an account provider: Auth0's token vault, Nango, your own table. When an account changes
 * (a webhook of theirs reports it), call `holdpoint.accounts.changed({ userId, integration })`.
 *
 * @example
 * const accounts = accountsFromFunctions({
 *   status: async ({ userId }, integration) =>
 *     (await nango.has(userId, integration)) ? { state: 'connected' } : { state: 'missing' },
 *   start: async ({ userId }, integration) => ({ clientToken: await nango.session(userId, integration) }),
 *   token: ({ userId }, integration) => nango.token(userId, integration),
 * })
 */
export function accountsFromFunctions(functions: AccountFunctions): AccountProvider {
  return {
    status: async (principal, integration, scopes = []) => functions.status(principal, integration, scopes),
    start: async (principal, integration, options) => functions.start(principal, integration, options),
    token: async (principal, integration, scopes = []) => functions.token(principal, integration, scopes),
    ...(functions.reject && {
      reject: async (principal, integration, token) => functions.reject?.(principal, integration, token),
    }),
    ...(functions.changes && { changes: (listener) => functions.changes?.(listener) ?? (() => {}) }),
  }
}
