import { HoldpointError } from '@holdpoint/core'
import { type Clock, systemClock } from '../base/clock.ts'
import { systemEnvironment } from '../base/environment.ts'
import { errorFacts, silentLogger } from '../base/logger.ts'
import type { Principal } from '../base/principal.ts'
import { fromRequest } from '../http/requests/from-request.ts'
import type { Incoming } from '../http/requests/http-request.ts'
import type { HttpResponse } from '../http/responses/http-response.ts'
import type { Route } from '../http/routing/route.ts'
import { createConfirmations } from '../security/confirmations.ts'
import { EXPIRING, userPartition } from '../security/keys.ts'
import { createGuardedFetch } from '../security/outbound/guarded-fetch.ts'
import { createSessionTokens, isTokenRefusal } from '../security/session-tokens.ts'
import { createVault } from '../security/vault.ts'
import { type BrokerAccounts, brokerAccounts } from './account-provider.ts'
import { forgetAccounts } from './accounts/accounts.ts'
import { endpoints } from './endpoints/endpoints.ts'
import { createHandler } from './endpoints/handle.ts'
import { connectionsOf } from './endpoints/list.ts'
import { ownAccounts } from './endpoints/own-accounts.ts'
import { bearerOf } from './http/bearer.ts'
import { createOAuth } from './oauth/oauth.ts'
import type { Broker } from './shared/broker.ts'
import type { AccountBrokerOptions, Change } from './shared/options.ts'
import type { ConnectionsResponse } from './shared/wire.ts'

/** A broker: an account provider for tools, and the endpoints for browsers and command-line tools. */
export interface AccountBroker extends BrokerAccounts {
  /** Handles all requests below `baseUrl`: `/connections/*`, `/auth/*`, `/ask*`. */
  fetch(request: Request): Promise<Response>
  /** Handles the same requests for a server without web-standard Requests. */
  handle(incoming: Incoming): Promise<HttpResponse>
  /**
   * The same endpoints as routes of Holdpoint, and `/accounts` for the app's settings page: `createHoldpoint({ http: {
   * routes: broker.routes } })`.
   */
  readonly routes: readonly Route[]
  /**
   * Returns the user of a session token, or null without a valid one. Use it in `createHoldpoint({ authenticate })`.
   */
  authenticate(request: Request): Promise<Principal | null>
  list(principal: Principal): Promise<ConnectionsResponse['connections']>
  /** Removes one account, or all accounts of a service. */
  disconnect(principal: Principal, integration: string, accountId?: string): Promise<void>
  /**
   * Registers a listener for accounts that were connected, disconnected or expired in this process. Returns an
   * unsubscribe function.
   */
  changes(listener: (change: Change) => void): () => void
  /** Ends every session token of a user. */
  signOut(principal: Principal): Promise<void>
  /** Deletes the accounts and sessions of a user, and revokes the tokens at the services. */
  eraseUser(principal: Principal): Promise<void>
  /** Deletes expired rows, and returns their number. Call it regularly. */
  sweep(): Promise<number>
}

/**
 * Creates the broker, which connects users' accounts at other services and returns valid tokens.
 *
 * @example
 * const broker = createAccountBroker({
 *   store,
 *   providers: [providers.slack({ clientId: env.SLACK_ID, clientSecret: env.SLACK_SECRET })],
 *   vaultKeys: [{ id: '1', key: env.VAULT_KEY }],
 *   baseUrl: 'https://app.example.com/holdpoint',
 *   authenticate,
 * })
 * const holdpoint = createHoldpoint({
 *   store,
 *   authenticate,
 *   accounts: broker,
 *   http: { routes: broker.routes },
 * })
 */
export function createAccountBroker(options: AccountBrokerOptions): AccountBroker {
  const listeners = new Set<(change: Change) => void>()
  const broker = createBroker(options, listeners)
  const clock: Clock = { ...systemClock(), ...(options.now && { now: options.now, elapsed: options.now }) }
  const handle = createHandler(broker, clock)
  const accounts = brokerAccounts(broker)

  return {
    ...accounts,
    handle,
    routes: [
      ...ownAccounts(broker, accounts),
      ...endpoints.map(
        ({ method, path, contentType, withoutOrigin }): Route => ({
          method,
          path,
          public: true,
          ...(contentType && { contentType }),
          ...(withoutOrigin && { withoutOrigin }),
          handle: ({ incoming }) => handle(incoming),
        }),
      ),
    ],
    async fetch(request) {
      const { status, body, headers } = await handle(fromRequest(request))
      return new Response(body || null, { status, headers })
    },
    async authenticate(request) {
      const token = bearerOf(request.headers.get('authorization'))
      if (!token || !broker.tokens) return null
      try {
        return (await broker.tokens.verify(token)).principal
      } catch (error) {
        if (isTokenRefusal(error)) return null
        throw error
      }
    },
    list: (principal) => connectionsOf(broker, principal),
    async disconnect(principal, integration, accountId) {
      const provider = broker.provider(integration)
      if (provider) await forgetAccounts(broker, principal, provider, accountId)
    },
    changes(listener) {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
    async signOut(principal) {
      await broker.tokens?.logoutUser(principal)
    },
    async eraseUser(principal) {
      await broker.tokens?.logoutUser(principal)
      for (const provider of broker.providers.values()) await forgetAccounts(broker, principal, provider)
      await broker.store.erase(userPartition(principal))
    },
    async sweep() {
      let removed = 0
      for (const kind of EXPIRING) {
        const { rows } = await broker.store.due(kind, { limit: 500 })
        for (const { partition } of rows) await broker.store.erase(partition)
        removed += rows.length
      }
      return removed
    },
  }
}

function createBroker(options: AccountBrokerOptions, listeners: ReadonlySet<(change: Change) => void>): Broker {
  const baseUrl = readBase(options.baseUrl)
  const environment = { ...systemEnvironment(), ...options.environment }
  const logger = options.logger ?? silentLogger
  const now = options.now ?? Date.now
  const development = options.development ?? process.env.NODE_ENV === 'development'
  const vault = createVault(options.vaultKeys, environment.randomBytes)
  const fetch = options.fetch ?? createGuardedFetch({ allowLoopback: development })
  const providers = new Map(options.providers.map((provider) => [provider.id, provider]))
  if (providers.size !== options.providers.length) throw invalid('two providers have the same id')
  const rows = { store: options.store, environment }
  const notify = (work: () => void) => {
    try {
      work()
    } catch (error) {
      logger.error('A listener of account changes failed.', errorFacts(error))
    }
  }

  const record: Broker['record'] = (event) => {
    const { type, ...facts } = event
    if (type === 'flow_refused' || type === 'refresh_token_reused') logger.warn(`Accounts: ${type}`, facts)
    else logger.info(`Accounts: ${type}`, facts)
    notify(() => options.onEvent?.(event))
  }

  return {
    ...rows,
    options: { ...options, development },
    providers,
    vault,
    oauth: createOAuth({ fetch, development }),
    fetch,
    tokens: options.sessionSecrets
      ? createSessionTokens(rows, {
          secrets: options.sessionSecrets,
          issuer: baseUrl,
          now,
          ...(options.refreshTimes && { refresh: options.refreshTimes }),
          onReuse: ({ userId }) => record({ type: 'refresh_token_reused', userId }),
        })
      : null,
    confirmations: createConfirmations({ ...rows, vault }),
    logger,
    baseUrl,
    redirectUri: ({ id }) => `${baseUrl}/connections/callback/${encodeURIComponent(id)}`,
    record,
    changed(change) {
      const { type, owner, integration } = change
      const { userId, tenant } = owner
      record({ type, userId, ...(tenant !== undefined && { tenant }), integration })
      notify(() => options.onChange?.(change))
      for (const listener of listeners) notify(() => listener(change))
    },
    provider: (integration) => (integration === null ? null : (providers.get(integration) ?? null)),
    signedIn: async (request) => (await options.authenticate?.(request)) ?? null,
  }
}

function readBase(baseUrl: string): string {
  if (!URL.canParse(baseUrl)) throw invalid(`baseUrl "${baseUrl}" is not a URL`)
  const { protocol, hostname, search, hash } = new URL(baseUrl)
  const local = hostname === 'localhost' || hostname === '127.0.0.1' || hostname === '[::1]'
  if (protocol !== 'https:' && !(protocol === 'http:' && local))
    throw invalid('baseUrl must be https, except on localhost')
  if (search || hash) throw invalid('baseUrl must have neither query nor fragment')
  return baseUrl.replace(/\/+$/, '')
}

const invalid = (why: string) => new HoldpointError('invalid_options', `Invalid createAccountBroker options: ${why}.`)
