import { HoldpointError } from '@holdpoint/core'
import { pause } from '../../base/environment.ts'
import type { Principal } from '../../base/principal.ts'
import { randomToken } from '../../security/hashes.ts'
import { accountRef } from '../../security/keys.ts'
import { changeRow, readRow } from '../../store/shared/change-row.ts'
import type { IssuedTokens } from '../oauth/oauth.ts'
import { OAuthFailure } from '../oauth/oauth-failure.ts'
import type { OAuthProvider } from '../oauth/provider.ts'
import type { Broker } from '../shared/broker.ts'
import { type AccountRow, lifetimes, openAccount, sealAccount, tokenState } from './account-row.ts'

/** After this time another process may refresh. Requests to a service time out after half of it. */
const LEASE_MS = 30_000
const COOL_DOWN_MS = 30_000
const WAIT_MS = 100
const PATIENCE_MS = 45_000

type Step =
  | { kind: 'use' | 'lost' | 'wait' | 'missing' }
  | { kind: 'refresh'; row: AccountRow; lease: string }
  | { kind: 'cooling'; retryAt: number }

/**
 * Returns a token that works now. Of all callers on all nodes, one refreshes it, under a lease in the row. The others
 * use the old token while it is valid, or wait for the new one. A refresh token is therefore used only once, because
 * some services revoke the account's tokens if it is used twice.
 */
export async function freshToken(
  broker: Broker,
  owner: Principal,
  provider: OAuthProvider,
  id: string,
): Promise<string> {
  const ref = accountRef(owner, id)
  for (let waited = 0; waited < PATIENCE_MS; waited += WAIT_MS) {
    const { now, row } = await readRow<AccountRow>(broker.store, ref)
    if (!row) throw missing(provider)
    if (row.state === 'expired') throw lost(provider)
    const secrets = await openAccount(broker.vault, owner, row)
    const state = tokenState(row, now)
    if (state === 'fresh' || (state === 'due' && !secrets.refreshToken)) return secrets.accessToken

    const step = await takeLease(broker, owner, id, row.generation, secrets.refreshToken !== undefined)
    if (step.kind === 'missing') throw missing(provider)
    if (step.kind === 'lost') {
      broker.changed({ type: 'expired', owner, integration: provider.id })
      throw lost(provider)
    }
    if (step.kind === 'refresh' && secrets.refreshToken) {
      const done = await refresh(broker, owner, provider, id, step, secrets.refreshToken)
      if (done === 'unavailable' && state === 'dead') throw unavailable(provider)
      if (done === 'unavailable') return secrets.accessToken
      continue
    }
    if (state === 'due') return secrets.accessToken
    if (step.kind === 'cooling') throw unavailable(provider)
    await pause(broker.environment, WAIT_MS)
  }
  throw unavailable(provider)
}

/** Decides under compare-and-set which process refreshes the token that was read. */
function takeLease(
  broker: Broker,
  owner: Principal,
  id: string,
  generation: number,
  renewable: boolean,
): Promise<Step> {
  const lease = randomToken(broker.environment.randomBytes, 12)
  return changeRow<AccountRow, Step>(broker, accountRef(owner, id), (row, now) => {
    if (!row) return { result: { kind: 'missing' } }
    if (row.lease?.id === lease) return { result: { kind: 'refresh', row, lease } }
    // Another process was faster, so the caller reads the row again.
    if (row.generation !== generation || row.state === 'expired') return { result: { kind: 'use' } }
    if (!renewable) return { put: { ...row, state: 'expired' as const }, result: { kind: 'lost' } }
    if (row.lease && now < row.lease.until) return { result: { kind: 'wait' } }
    if (row.retryAt !== undefined && now < row.retryAt) return { result: { kind: 'cooling', retryAt: row.retryAt } }
    const leased = { ...row, lease: { id: lease, until: now + LEASE_MS } }
    return { put: leased, result: { kind: 'refresh', row: leased, lease } }
  })
}

/** Refreshes under the lease and writes the result, unless the account was disconnected or reconnected. */
async function refresh(
  broker: Broker,
  owner: Principal,
  provider: OAuthProvider,
  id: string,
  { row: leased, lease }: { row: AccountRow; lease: string },
  refreshToken: string,
): Promise<'look again' | 'unavailable'> {
  const ref = accountRef(owner, id)
  const tokens = await broker.oauth.refresh(provider, refreshToken).catch((error: unknown) => asFailure(error))
  if (tokens instanceof OAuthFailure) {
    const ended = tokens.reason === 'invalid_grant'
    const marked = await changeRow<AccountRow, boolean>(broker, ref, (row, now) => {
      if (!row || row.generation !== leased.generation || row.lease?.id !== lease) return { result: false }
      const { lease: _lease, ...free } = row
      return ended
        ? { put: { ...free, state: 'expired' as const }, result: true }
        : { put: { ...free, retryAt: now + COOL_DOWN_MS }, result: true }
    })
    broker.logger.warn('An account could not be refreshed.', { integration: provider.id, reason: tokens.reason })
    if (ended && marked) broker.changed({ type: 'expired', owner, integration: provider.id })
    return ended ? 'look again' : 'unavailable'
  }
  const { profile } = await openAccount(broker.vault, owner, leased)
  const renewed = { accessToken: tokens.accessToken, refreshToken: tokens.refreshToken ?? refreshToken, profile }
  const sealed = await sealAccount(broker.vault, owner, provider.id, renewed)
  const kept = await changeRow<AccountRow, boolean>(broker, ref, (row, now) => {
    if (row?.generation === leased.generation + 1 && row.sealed.data === sealed.data) return { result: true }
    if (!row || row.generation !== leased.generation) return { result: false }
    const { lease: _lease, retryAt: _retryAt, expiresAt: _expiresAt, refreshAt: _refreshAt, ...rest } = row
    const written: AccountRow = {
      ...rest,
      sealed,
      scopes: tokens.scopes?.length ? tokens.scopes : row.scopes,
      generation: row.generation + 1,
      ...lifetimes(now, tokens.expiresInMs),
    }
    return { put: written, result: true }
  })
  // The account was disconnected during the refresh, so the new token must also be revoked at the service.
  if (!kept) await discard(broker, provider, tokens)
  return 'look again'
}

async function discard(broker: Broker, provider: OAuthProvider, tokens: IssuedTokens): Promise<void> {
  await broker.oauth.revoke(provider, tokens.refreshToken ?? tokens.accessToken).catch(() => false)
}

function asFailure(error: unknown): OAuthFailure {
  if (error instanceof OAuthFailure) return error
  throw error
}

const missing = ({ id, name }: OAuthProvider) =>
  new HoldpointError('account_missing', `No ${name} account is connected. Connect one first.`, {
    details: { integration: id },
  })
const lost = ({ id, name }: OAuthProvider) =>
  new HoldpointError('account_expired', `${name} no longer accepts the connected account. Connect it again.`, {
    details: { integration: id },
  })
const unavailable = ({ id, name }: OAuthProvider) =>
  new HoldpointError('accounts_unavailable', `${name} cannot be reached to renew its token. Try again in a moment.`, {
    details: { integration: id },
  })
