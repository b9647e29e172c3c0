import type { Principal } from '../../base/principal.ts'
import { hashOf, randomToken } from '../../security/hashes.ts'
import { flowRef } from '../../security/keys.ts'
import { changeRow } from '../../store/shared/change-row.ts'
import type { IssuedTokens } from '../oauth/oauth.ts'
import type { OAuthProvider } from '../oauth/provider.ts'
import type { Broker } from '../shared/broker.ts'
import { boundToFlow, type FlowRow, readFlow } from '../shared/flow-row.ts'
import { otherSignedInUser } from './begin-flow.ts'
import { isSameBrowser } from './browser.ts'
import { endFlow, finishFlow, flowError } from './finish-flow.ts'
import { refuseFlow } from './refuse-flow.ts'

export type ReturnResult =
  | { kind: 'gone' }
  | { kind: 'refused' }
  | { kind: 'ended'; hash: string; row: FlowRow; fewer?: boolean; error?: string }
  /** The flow continues on the machine of the program that started it. */
  | { kind: 'loopback'; hash: string; url: string }

/** Handles the browser's return from the service, with a code or a denial. */
export async function returnFromService(
  broker: Broker,
  service: string,
  answer: URLSearchParams,
  cookieOf: (hash: string) => string | undefined,
  principal: Principal | null,
): Promise<ReturnResult> {
  const state = answer.get('state')
  const flow = await readFlow(broker, state)
  const provider = broker.provider(flow?.row.integration ?? null)
  if (!state || !flow || !provider || flow.row.state !== 'open') return { kind: 'gone' }
  const { hash, row } = flow

  const stranger = otherSignedInUser(row, principal)
  const sameBrowser = row.approved && (await isSameBrowser(row, cookieOf(hash)))
  if (stranger || !sameBrowser || service !== row.integration) {
    const reason = stranger ? 'different_user' : sameBrowser ? 'different_service' : 'different_browser'
    await refuseFlow(broker, hash, row, reason, stranger ?? undefined)
    return { kind: 'refused' }
  }

  const attempt = await claimFlow(broker, hash, 'open')
  if (!attempt) return { kind: 'gone' }
  try {
    const verifier = broker.vault.open(row.verifier, boundToFlow(hash))
    const tokens = await broker.oauth.exchange(provider, answer, {
      state,
      verifier,
      redirectUri: broker.redirectUri(provider),
    })
    if (row.loopback)
      return {
        kind: 'loopback',
        hash,
        url: await storeUntilCodeShown(broker, hash, attempt, row.loopback, state, tokens),
      }
    const finished = await finishFlow(broker, provider, row, tokens)
    await endFlow(broker, hash, attempt, { state: 'connected', finished })
    return { kind: 'ended', hash, row, fewer: finished.fewer === true }
  } catch (failure) {
    const end = flowError(failure)
    await endFlow(broker, hash, attempt, end)
    broker.logger.warn('A flow failed.', { integration: provider.id, reason: end.error })
    return { kind: 'ended', hash, row, error: end.error }
  }
}

/**
 * Moves a flow to `exchanging`. Returns null to all callers except the first. `state` cannot be used again afterwards.
 */
export function claimFlow(broker: Broker, hash: string, from: 'open' | 'authorized'): Promise<string | null> {
  const attempt = randomToken(broker.environment.randomBytes, 12)
  return changeRow<FlowRow, string | null>(broker, flowRef(hash), (row) => {
    if (row?.state === 'exchanging' && row.attempt === attempt) return { result: attempt }
    if (row?.state !== from) return { result: null }
    return { put: { ...row, state: 'exchanging', attempt }, due: row.until, result: attempt }
  })
}

/**
 * Stores the tokens until the program presents a code that only a browser on the same machine can deliver to it (RFC
 * 8252).
 */
async function storeUntilCodeShown(
  broker: Broker,
  hash: string,
  attempt: string,
  loopback: string,
  state: string,
  tokens: IssuedTokens,
) {
  const code = randomToken(broker.environment.randomBytes)
  const loopbackCode = await hashOf(code)
  const sealed = broker.vault.seal(JSON.stringify(tokens), boundToFlow(hash))
  await changeRow<FlowRow, void>(broker, flowRef(hash), (row) =>
    row?.attempt === attempt && row.state === 'exchanging'
      ? { put: { ...row, state: 'authorized', loopbackCode, tokens: sealed }, due: row.until, result: undefined }
      : { result: undefined },
  )
  const url = new URL(loopback)
  url.searchParams.set('code', code)
  url.searchParams.set('state', state)
  return url.href
}

/** Stores the parked tokens as an account, after the program presented the code. */
export async function finishParked(broker: Broker, provider: OAuthProvider, hash: string, row: FlowRow): Promise<void> {
  const attempt = await claimFlow(broker, hash, 'authorized')
  if (!attempt || !row.tokens) return
  try {
    const tokens = JSON.parse(broker.vault.open(row.tokens, boundToFlow(hash))) as IssuedTokens
    const finished = await finishFlow(broker, provider, row, tokens)
    await endFlow(broker, hash, attempt, { state: 'connected', finished })
  } catch (failure) {
    await endFlow(broker, hash, attempt, flowError(failure))
  }
}
