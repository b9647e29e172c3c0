import { HoldpointError } from '@holdpoint/core'
import type { Principal } from '../../base/principal.ts'
import { flowRef } from '../../security/keys.ts'
import { changeRow } from '../../store/shared/change-row.ts'
import { saveAccount } from '../accounts/accounts.ts'
import type { IssuedTokens } from '../oauth/oauth.ts'
import { OAuthFailure } from '../oauth/oauth-failure.ts'
import { readProfile } from '../oauth/profile.ts'
import type { OAuthProvider } from '../oauth/provider.ts'
import { linkIdentity, ownerOfIdentity } from '../sessions/identities.ts'
import { assignSession } from '../sessions/sessions.ts'
import type { Broker } from '../shared/broker.ts'
import { type Finished, type FlowRow, type FlowState, sameUser } from '../shared/flow-row.ts'

/** Stores an authorization as an account of its user. Only the caller that moved the flow to `exchanging` calls it. */
export async function finishFlow(
  broker: Broker,
  provider: OAuthProvider,
  flow: FlowRow,
  tokens: IssuedTokens,
): Promise<Finished> {
  const profile = await readProfile(provider, tokens, broker.fetch)
  const signsIn = flow.signsIn === true
  const owner = flow.owner ?? (await ownerOfIdentity(broker, provider, profile))
  if (flow.expected && !sameUser(flow.expected, owner)) {
    broker.record({
      type: 'flow_refused',
      integration: provider.id,
      reason: 'different_account',
      startedBy: flow.expected.userId,
      finishedBy: owner.userId,
    })
    throw new HoldpointError('wrong_account', `This session belongs to another ${provider.name} account.`)
  }
  const account = await saveAccount(broker, owner, provider, tokens, profile, flow.scopes)
  if (flow.session) {
    await linkIdentity(broker, provider, profile, owner)
    await assignSession(broker, flow.session, owner)
  }
  if (signsIn) broker.record({ type: 'signed_in', ...named(owner), integration: provider.id })
  return {
    owner: named(owner),
    account,
    signsIn,
    ...(grantedFewer(provider, flow, tokens) && { fewer: true as const }),
  }
}

/** Ends a flow with any result. Only the attempt that claimed it may do so. */
export function endFlow(
  broker: Broker,
  hash: string,
  attempt: string,
  end: { state: FlowState; error?: string; finished?: Finished },
): Promise<void> {
  return changeRow<FlowRow, void>(broker, flowRef(hash), (row) => {
    if (!row || row.attempt !== attempt || row.state !== 'exchanging') return { result: undefined }
    const { tokens: _tokens, ...rest } = row
    const { finished, ...ended } = end
    return { put: { ...rest, ...ended, ...(finished && { finished }) }, due: row.until, result: undefined }
  })
}

/** Converts an error to a state and a code for pages and clients that poll. It does not expose internal details. */
export function flowError(error: unknown): { state: 'denied' | 'failed'; error: string } {
  if (error instanceof OAuthFailure) {
    return error.reason === 'access_denied'
      ? { state: 'denied', error: 'access_denied' }
      : { state: 'failed', error: error.reason }
  }
  const code = error instanceof HoldpointError ? error.code : 'internal'
  return { state: 'failed', error: /^store_/.test(code) ? 'unavailable' : code }
}

/**
 * Returns whether the user deselected scopes, as some services allow. Base scopes are ignored, because services return
 * them under other names.
 */
function grantedFewer(provider: OAuthProvider, flow: FlowRow, { scopes }: IssuedTokens): boolean {
  const base = provider.baseScopes ?? []
  return scopes !== undefined && flow.scopes.some((scope) => !scopes.includes(scope) && !base.includes(scope))
}

const named = ({ userId, tenant }: Principal): Principal => ({ userId, ...(tenant !== undefined && { tenant }) })
