import { HoldpointError } from '@holdpoint/core'
import type { Principal } from '../../base/principal.ts'
import { hashOf, randomToken } from '../../security/hashes.ts'
import { flowRef } from '../../security/keys.ts'
import { changeRow } from '../../store/shared/change-row.ts'
import { type OAuthProvider, unionScopes } from '../oauth/provider.ts'
import type { Broker } from '../shared/broker.ts'
import { boundToFlow, FLOW_MS, type FlowRow } from '../shared/flow-row.ts'

export interface FlowRequest {
  provider: OAuthProvider
  scopes?: readonly string[]
  owner?: Principal
  session?: string
  signsIn?: boolean
  expected?: Principal
  device?: string
  loopback?: string
  returnTo?: string
  flowId?: string
  generationId?: string
  /** True if a client will poll for the result. */
  polled: boolean
  /** Uses the device flow (RFC 8628), for machines without a browser. */
  deviceFlow?: boolean
}

export interface StartedFlow {
  state: string
  /** The address to open in a browser. */
  url: string
  userCode: string
  pollSecret?: string
  intervalMs: number
  expiresInMs: number
}

const POLL_MS = 3_000

/** Begins a flow with a new `state` and a new PKCE verifier. The row contains no tokens yet. */
export async function startFlow(broker: Broker, request: FlowRequest): Promise<StartedFlow> {
  const { provider } = request
  const random = broker.environment.randomBytes
  const state = randomToken(random)
  const hash = await hashOf(state)
  const pollSecret = request.polled ? randomToken(random) : undefined
  const scopes = unionScopes(provider.baseScopes, request.scopes ?? provider.scopes)
  const seal = (text: string) => broker.vault.seal(text, boundToFlow(hash))

  const device = request.deviceFlow ? await startDevice(broker, provider, scopes) : undefined
  const expiresInMs = Math.min(FLOW_MS, device?.expiresInMs ?? FLOW_MS)
  const userCode = device?.userCode ?? newUserCode(random)
  const row: Omit<FlowRow, 'createdAt' | 'until'> = {
    integration: provider.id,
    scopes,
    state: 'open',
    userCode,
    verifier: seal(broker.oauth.newVerifier()),
    approved: false,
    polling: { intervalMs: device?.intervalMs ?? POLL_MS },
    ...(pollSecret && { poll: await hashOf(pollSecret) }),
    ...(device && { deviceFlow: { code: seal(device.deviceCode), intervalMs: device.intervalMs, nextAt: 0 } }),
    ...picked(request),
  }
  await changeRow<FlowRow, void>(broker, flowRef(hash), (_none, now) => ({
    put: { ...row, createdAt: now, until: now + expiresInMs },
    due: now + expiresInMs,
    result: undefined,
  }))
  return {
    state,
    url: device?.verificationUri ?? `${broker.baseUrl}/connections/authorize?state=${state}`,
    userCode,
    intervalMs: row.polling.intervalMs,
    expiresInMs,
    ...(pollSecret && { pollSecret }),
  }
}

function startDevice(broker: Broker, provider: OAuthProvider, scopes: readonly string[]) {
  if (provider.deviceEndpoint) return broker.oauth.startDevice(provider, scopes)
  throw new HoldpointError(
    'device_flow_unsupported',
    `${provider.name} has no device flow. Connect without \`flow: 'device'\`.`,
    { details: { integration: provider.id } },
  )
}

function picked({ owner, session, signsIn, expected, device, loopback, returnTo, flowId, generationId }: FlowRequest) {
  return {
    ...(owner && { owner: withoutExtraFields(owner) }),
    ...(session && { session }),
    ...(signsIn && { signsIn }),
    ...(expected && { expected: withoutExtraFields(expected) }),
    ...(device && { device: device.slice(0, 100) }),
    ...(loopback && { loopback }),
    ...(returnTo && { returnTo }),
    ...(flowId && { flowId }),
    ...(generationId && { generationId }),
  }
}

/** Copies a principal without fields that the host's session library may have added. */
const withoutExtraFields = ({ userId, tenant, name }: Principal): Principal => ({
  userId,
  ...(tenant !== undefined && { tenant }),
  ...(name !== undefined && { name }),
})

/**
 * Returns a code of 34 bits without vowels and look-alikes, as RFC 8628 suggests. People compare it; it is not a
 * secret.
 */
function newUserCode(randomBytes: (length: number) => Uint8Array): string {
  const letters = 'BCDFGHJKLMNPQRSTVWXZ'
  const made: string[] = []
  while (made.length < 8) {
    // 240 is the largest multiple of 20 below 256, so all letters are equally likely.
    for (const byte of randomBytes(16)) if (byte < 240 && made.length < 8) made.push(letters[byte % 20] ?? '')
  }
  return `${made.slice(0, 4).join('')}-${made.slice(4).join('')}`
}
