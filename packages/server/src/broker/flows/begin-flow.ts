import type { Principal } from '../../base/principal.ts'
import { hashOf, randomToken } from '../../security/hashes.ts'
import { flowRef } from '../../security/keys.ts'
import { changeRow } from '../../store/shared/change-row.ts'
import type { OAuthProvider } from '../oauth/provider.ts'
import type { Broker } from '../shared/broker.ts'
import { boundToFlow, type FlowRow, readFlow, sameUser } from '../shared/flow-row.ts'
import { isSameBrowser } from './browser.ts'
import { recordRefusal } from './refuse-flow.ts'

export type BeginResult =
  /** The flow is unknown, expired, already used, or not for a browser. */
  | { kind: 'gone' }
  | { kind: 'refused' }
  | { kind: 'ask'; cookie: string; hash: string; row: FlowRow; provider: OAuthProvider }
  | { kind: 'go'; cookie?: string; hash: string; url: string }

/**
 * Opens a flow in a browser and binds it to that browser. It continues without a click only if no other person can have
 * sent the user the link.
 */
export async function beginFlow(
  broker: Broker,
  state: string | null,
  principal: Principal | null,
): Promise<BeginResult> {
  const found = await openFlow(broker, state)
  if (!found) return { kind: 'gone' }
  const { hash, row, provider } = found
  const stranger = otherSignedInUser(row, principal)
  if (stranger) {
    recordRefusal(broker, row, 'different_user', stranger)
    return { kind: 'refused' }
  }
  // On the starter's own machine, or in the starter's own signed-in browser, no click is needed.
  const trusted = row.loopback !== undefined || (row.owner !== undefined && principal !== null)
  const cookie = randomToken(broker.environment.randomBytes)
  const browser = await hashOf(cookie)
  const bound = await changeRow<FlowRow, FlowRow | null>(broker, flowRef(hash), (current) => {
    if (current?.state !== 'open') return { result: null }
    const put = { ...current, browser, approved: trusted }
    return { put, due: current.until, result: put }
  })
  if (!bound) return { kind: 'gone' }
  if (!trusted) return { kind: 'ask', cookie, hash, row: bound, provider }
  return { kind: 'go', cookie, hash, url: await consentUrl(broker, provider, hash, bound, state) }
}

/** Continues a flow after the click on the interstitial page, in the browser that showed the page. */
export async function approveFlow(
  broker: Broker,
  state: string | null,
  cookieOf: (hash: string) => string | undefined,
  principal: Principal | null,
): Promise<BeginResult> {
  const found = await openFlow(broker, state)
  if (!found) return { kind: 'gone' }
  const { hash, row, provider } = found
  const stranger = otherSignedInUser(row, principal)
  if (stranger || !(await isSameBrowser(row, cookieOf(hash)))) {
    recordRefusal(broker, row, stranger ? 'different_user' : 'different_browser', stranger ?? undefined)
    return { kind: 'refused' }
  }
  const approved = await changeRow<FlowRow, FlowRow | null>(broker, flowRef(hash), (current) => {
    if (current?.state !== 'open' || current.browser !== row.browser) return { result: null }
    // If the flow signs a user in, the signed-in user of this browser becomes its owner.
    const owner = current.owner ?? (current.signsIn && principal ? principal : undefined)
    const put = { ...current, approved: true, ...(owner && { owner }) }
    return { put, due: current.until, result: put }
  })
  if (!approved) return { kind: 'gone' }
  return { kind: 'go', hash, url: await consentUrl(broker, provider, hash, approved, state) }
}

/** Returns the signed-in user if the flow is for another user, otherwise null. */
export function otherSignedInUser({ owner, expected }: FlowRow, principal: Principal | null): Principal | null {
  const wanted = owner ?? expected
  return principal && wanted && !sameUser(principal, wanted) ? principal : null
}

async function openFlow(broker: Broker, state: string | null) {
  const flow = await readFlow(broker, state)
  const provider = broker.provider(flow?.row.integration ?? null)
  return flow && provider && flow.row.state === 'open' && !flow.row.deviceFlow ? { ...flow, provider } : null
}

async function consentUrl(broker: Broker, provider: OAuthProvider, hash: string, row: FlowRow, state: string | null) {
  const verifier = broker.vault.open(row.verifier, boundToFlow(hash))
  return broker.oauth.authorizationUrl(provider, {
    state: state ?? '',
    verifier,
    redirectUri: broker.redirectUri(provider),
    scopes: row.scopes,
  })
}
