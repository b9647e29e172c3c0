import type { Principal } from '../../base/principal.ts'
import { hashOf } from '../../security/hashes.ts'
import { ACCOUNT, accountRef, userPartition } from '../../security/keys.ts'
import { changeRow, parse } from '../../store/shared/change-row.ts'
import type { IssuedTokens } from '../oauth/oauth.ts'
import type { Profile } from '../oauth/profile.ts'
import { type OAuthProvider, unionScopes } from '../oauth/provider.ts'
import { unlinkIdentity } from '../sessions/identities.ts'
import type { Broker } from '../shared/broker.ts'
import { type AccountRow, lifetimes, nextChoice, openAccount, sealAccount } from './account-row.ts'

export interface StoredAccount {
  /** The row's id, which reveals nothing about the account. */
  id: string
  row: AccountRow
}

/** The accounts of one user, of one service or of all. */
export async function listAccounts(
  { store }: Broker,
  owner: Principal,
  integration?: string,
): Promise<StoredAccount[]> {
  const rows = await store.list(userPartition(owner), ACCOUNT)
  const accounts = rows.map(({ id, data }) => ({ id, row: parse<AccountRow>(data) }))
  return integration === undefined ? accounts : accounts.filter(({ row }) => row.integration === integration)
}

/** Stores the tokens of a completed flow, as a new account or in the known one. The account becomes the chosen one. */
export async function saveAccount(
  broker: Broker,
  owner: Principal,
  provider: OAuthProvider,
  tokens: IssuedTokens,
  profile: Profile,
  asked: readonly string[],
): Promise<string> {
  const id = await accountRowId(provider.id, profile.accountId)
  const others = await listAccounts(broker, owner, provider.id)
  await changeRow<AccountRow, void>(broker, accountRef(owner, id), async (existing, now) => {
    // Some services return a refresh token only with the first consent.
    const kept =
      existing && !tokens.refreshToken ? (await openAccount(broker.vault, owner, existing)).refreshToken : undefined
    const refreshToken = tokens.refreshToken ?? kept
    const sealed = await sealAccount(broker.vault, owner, provider.id, {
      accessToken: tokens.accessToken,
      ...(refreshToken && { refreshToken }),
      profile,
    })
    const row: AccountRow = {
      integration: provider.id,
      sealed,
      scopes: unionScopes(tokens.scopes ?? asked),
      state: 'connected',
      connectedAt: existing?.connectedAt ?? now,
      chosenAt: nextChoice(others, now),
      generation: (existing?.generation ?? 0) + 1,
      ...lifetimes(now, tokens.expiresInMs),
    }
    return { put: row, result: undefined }
  })
  broker.changed({ type: 'connected', owner, integration: provider.id })
  return id
}

/**
 * Removes one or all accounts of a service, and revokes their tokens at the service where possible. A concurrent
 * refresh does not restore a removed account.
 */
export async function forgetAccounts(
  broker: Broker,
  owner: Principal,
  provider: OAuthProvider,
  accountId?: string,
): Promise<number> {
  const only = accountId === undefined ? undefined : await accountRowId(provider.id, accountId)
  const accounts = await listAccounts(broker, owner, provider.id)
  const leaving = accounts.filter(({ id }) => only === undefined || id === only)
  for (const { id } of leaving) {
    const removed = await changeRow<AccountRow, AccountRow | null>(broker, accountRef(owner, id), (row) => ({
      remove: true,
      result: row,
    }))
    if (!removed) continue
    const secrets = await openAccount(broker.vault, owner, removed).catch(() => null)
    if (!secrets) continue
    await unlinkIdentity(broker, provider, secrets.profile, owner)
    // The account is already removed here, so a failed revocation at the service is ignored.
    await broker.oauth.revoke(provider, secrets.refreshToken ?? secrets.accessToken).catch(() => false)
  }
  if (leaving.length > 0) broker.changed({ type: 'disconnected', owner, integration: provider.id })
  return leaving.length
}

export async function accountRowId(integration: string, accountId: string): Promise<string> {
  return `${integration}/${(await hashOf(accountId)).slice(0, 32)}`
}
