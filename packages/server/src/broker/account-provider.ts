import { HoldpointError } from '@holdpoint/core'
import type { Principal } from '../base/principal.ts'
import type { AccountProvider, AccountStatus, StartOptions } from '../engine/api/account-provider.ts'
import { accountRef, userPartition } from '../security/keys.ts'
import { safeReturnTo } from '../security/return-to.ts'
import { changeRow } from '../store/shared/change-row.ts'
import {
  type AccountRow,
  missingScopes,
  nextChoice,
  openAccount,
  pickAccount,
  refusedToken,
} from './accounts/account-row.ts'
import { accountRowId, listAccounts } from './accounts/accounts.ts'
import { freshToken } from './accounts/fresh-token.ts'
import { startFlow } from './flows/start-flow.ts'
import { accountName } from './oauth/profile.ts'
import { type OAuthProvider, unionScopes } from './oauth/provider.ts'
import type { Broker } from './shared/broker.ts'

/** Options of `token` for users with several accounts at one service. */
export interface TokenOptions {
  /** Selects one of several accounts. If omitted, the account that was chosen last is used. */
  accountId?: string
}

/** The broker as an account provider. */
export interface BrokerAccounts extends AccountProvider {
  token(principal: Principal, integration: string, scopes?: readonly string[], options?: TokenOptions): Promise<string>
  /**
   * Reports that the service answered 401 to this token. The next call of `token` refreshes it; if that is not
   * possible, the account counts as expired.
   */
  reject(principal: Principal, integration: string, token: string): Promise<void>
  /** Selects the account that later calls use, if the user has several at one service. */
  choose(principal: Principal, integration: string, accountId: string): Promise<void>
}

export function brokerAccounts(broker: Broker): BrokerAccounts {
  /** Concurrent calls in one process share one lookup, so many calls at expiry cause one refresh and few reads. */
  const underWay = new Map<string, Promise<string>>()

  const shared = (key: string, find: () => Promise<string>): Promise<string> => {
    const known = underWay.get(key)
    if (known) return known
    const made = find().finally(() => underWay.delete(key))
    underWay.set(key, made)
    return made
  }

  const findToken = async (
    principal: Principal,
    integration: string,
    scopes: readonly string[],
    accountId: string | undefined,
  ): Promise<string> => {
    const provider = requireProvider(broker, integration)
    const wanted = accountId === undefined ? undefined : await accountRowId(integration, accountId)
    const accounts = await listAccounts(broker, principal, integration)
    const account = pickAccount(wanted ? accounts.filter(({ id }) => id === wanted) : accounts, scopes)
    if (!account) {
      throw new HoldpointError('account_missing', `No ${provider.name} account is connected. Connect one first.`, {
        details: { integration },
      })
    }
    const missing = missingScopes(account.row, scopes)
    if (missing.length > 0 && account.row.state === 'connected') {
      throw new HoldpointError(
        'account_scopes',
        `The connected ${provider.name} account lacks permissions that this needs. Connect it again with them.`,
        { details: { integration, missing } },
      )
    }
    return freshToken(broker, principal, provider, account.id)
  }

  return {
    async status(principal, integration, scopes): Promise<AccountStatus> {
      requireProvider(broker, integration)
      const account = pickAccount(await listAccounts(broker, principal, integration), scopes)
      if (!account) return { state: 'missing' }
      const { row } = account
      if (row.state === 'expired') return { state: 'expired' }
      if (missingScopes(row, scopes ?? []).length > 0) return { state: 'scopes', scopes: row.scopes }
      const { profile } = await openAccount(broker.vault, principal, row)
      const { accountId } = profile
      return { state: 'connected', scopes: row.scopes, accountId, accountName: accountName(profile) }
    },

    async start(principal, integration, { scopes, returnTo, trustedOrigins, flowId, generationId }: StartOptions) {
      const provider = requireProvider(broker, integration)
      const known = pickAccount(await listAccounts(broker, principal, integration))
      const { url } = await startFlow(broker, {
        provider,
        owner: principal,
        scopes: unionScopes(scopes?.length ? scopes : provider.scopes, known?.row.scopes),
        flowId,
        polled: false,
        ...(generationId !== undefined && { generationId }),
        ...(returnTo !== undefined && { returnTo: requireReturn(broker, returnTo, trustedOrigins) }),
      })
      return { url }
    },

    async token(principal, integration, scopes = [], { accountId } = {}) {
      const key = JSON.stringify([userPartition(principal), integration, scopes, accountId])
      return shared(key, () => findToken(principal, integration, scopes, accountId))
    },

    async reject(principal, integration, token) {
      requireProvider(broker, integration)
      for (const { id } of await listAccounts(broker, principal, integration)) {
        const ended = await changeRow<AccountRow, boolean>(broker, accountRef(principal, id), async (row, now) => {
          if (!row || row.state === 'expired') return { result: false }
          const secrets = await openAccount(broker.vault, principal, row)
          if (secrets.accessToken !== token) return { result: false }
          const put = refusedToken(row, now, secrets.refreshToken !== undefined)
          return { put, result: put.state === 'expired' }
        })
        if (ended) broker.changed({ type: 'expired', owner: principal, integration })
      }
    },

    async choose(principal, integration, accountId) {
      const id = await accountRowId(requireProvider(broker, integration).id, accountId)
      const accounts = await listAccounts(broker, principal, integration)
      await changeRow<AccountRow, void>(broker, accountRef(principal, id), (row, now) => {
        if (!row) throw new HoldpointError('account_missing', 'This account is not connected. Connect it first.')
        return { put: { ...row, chosenAt: nextChoice(accounts, now) }, result: undefined }
      })
    },
  }
}

function requireProvider(broker: Broker, integration: string): OAuthProvider {
  const provider = broker.provider(integration)
  if (provider) return provider
  throw new HoldpointError(
    'unknown_integration',
    `"${integration}" is not among the providers of createAccountBroker. Add it there, or ask for another.`,
    { details: { integration } },
  )
}

function requireReturn(broker: Broker, returnTo: string, trusted: readonly string[] = []): string {
  const safe = safeReturnTo(returnTo, broker.baseUrl, [...(broker.options.allowedOrigins ?? []), ...trusted])
  if (safe) return safe
  throw new HoldpointError('return_not_allowed', 'returnTo must be a path, or a URL on an origin in `allowedOrigins`.')
}
