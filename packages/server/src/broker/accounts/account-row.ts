import type { Principal } from '../../base/principal.ts'
import { userPartition } from '../../security/keys.ts'
import type { Sealed, Vault } from '../../security/vault.ts'
import type { Profile } from '../oauth/profile.ts'

/** One account of one user at one service. Personal data and tokens are in `sealed`. */
export interface AccountRow {
  integration: string
  sealed: Sealed
  scopes: string[]
  state: 'connected' | 'expired'
  connectedAt: number
  /** When the account was last chosen. If a user has several accounts, the one chosen last is used. */
  chosenAt: number
  /** The number of tokens that the account has had. */
  generation: number
  /** When the token expires, by the store's clock; absent if unknown. */
  expiresAt?: number
  /** When the token is due for a refresh, some time before it expires. */
  refreshAt?: number
  /** The process that is refreshing the token. The lease expires if that process dies. */
  lease?: { id: string; until: number }
  /** The earliest time of the next refresh, after one failed. */
  retryAt?: number
  /** The number of the token that the service rejected, and when. The rejection causes a refresh. */
  refused?: { generation: number; at: number }
}

export interface AccountSecrets {
  accessToken: string
  refreshToken?: string
  profile: Profile
}

/** Associated data of the encryption, so that a row that was copied to another user or service cannot be decrypted. */
const boundTo = (owner: Principal, integration: string) => ['account', userPartition(owner), integration]

export function sealAccount(vault: Vault, owner: Principal, integration: string, secrets: AccountSecrets) {
  return vault.seal(JSON.stringify(secrets), boundTo(owner, integration))
}

export async function openAccount(vault: Vault, owner: Principal, row: AccountRow): Promise<AccountSecrets> {
  return JSON.parse(vault.open(row.sealed, boundTo(owner, row.integration)))
}

const EARLY = 5 * 60 * 1000

/**
 * The next state of an account whose token the service rejected: it is refreshed on the next request if possible. If a
 * token that was just refreshed for this reason is rejected again, only the user can fix the account.
 */
export function refusedToken(row: AccountRow, now: number, renewable: boolean): AccountRow {
  const again = row.refused?.generation === row.generation - 1 && now - row.refused.at < EARLY
  if (!renewable || again) return { ...row, state: 'expired' }
  return { ...row, expiresAt: now, refused: { generation: row.generation, at: now } }
}

/** Returns when a token expires, and when its refresh is due: five minutes earlier, or a fifth of a short lifetime. */
export function lifetimes(now: number, expiresInMs: number | undefined): Pick<AccountRow, 'expiresAt' | 'refreshAt'> {
  if (expiresInMs === undefined) return {}
  const expiresAt = now + expiresInMs
  return { expiresAt, refreshAt: expiresAt - Math.min(EARLY, expiresInMs / 5) }
}

export type TokenState = 'fresh' | 'due' | 'dead'

export function tokenState({ expiresAt, refreshAt }: AccountRow, now: number): TokenState {
  if (expiresAt !== undefined && now >= expiresAt) return 'dead'
  return refreshAt !== undefined && now >= refreshAt ? 'due' : 'fresh'
}

/** Selects the account for a call: a connected one that has the scopes, otherwise the one chosen last. */
export function pickAccount<A extends { row: AccountRow }>(
  accounts: readonly A[],
  scopes: readonly string[] = [],
): A | undefined {
  const sorted = [...accounts].sort((a, b) => b.row.chosenAt - a.row.chosenAt)
  return sorted.find(({ row }) => row.state === 'connected' && missingScopes(row, scopes).length === 0) ?? sorted[0]
}

/** Returns a time that is later than every earlier choice, even within the same millisecond. */
export function nextChoice(accounts: readonly { row: AccountRow }[], now: number): number {
  return Math.max(now, ...accounts.map(({ row }) => row.chosenAt + 1))
}

export function missingScopes(row: AccountRow, scopes: readonly string[]): string[] {
  return scopes.filter((scope) => !row.scopes.includes(scope))
}
