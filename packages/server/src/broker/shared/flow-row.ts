import type { Principal } from '../../base/principal.ts'
import { hashOf } from '../../security/hashes.ts'
import { flowRef, userPartition } from '../../security/keys.ts'
import type { Sealed } from '../../security/vault.ts'
import { readRow } from '../../store/shared/change-row.ts'
import type { Broker } from './broker.ts'

export const FLOW_MS = 10 * 60 * 1000

export type FlowState =
  | 'open'
  /** The code or the device code is being exchanged. From now on `state` cannot be used again. */
  | 'exchanging'
  /** The tokens are stored, and wait for the code that the browser delivered to the program that started the flow. */
  | 'authorized'
  | 'connected'
  | 'denied'
  | 'failed'

export interface Finished {
  owner: Principal
  account: string
  signsIn: boolean
  /** The person granted less than was asked for. */
  fewer?: true
}

/** A flow that connects an account. Its key is the hash of its `state`. */
export interface FlowRow {
  integration: string
  scopes: string[]
  createdAt: number
  until: number
  state: FlowState
  /** The user who started the flow, if known. Only this user may finish it. */
  owner?: Principal
  /** The hash of the session of the program that started the flow, if a program did. */
  session?: string
  /** True if the client that polls receives session tokens at the end. */
  signsIn?: boolean
  /** The user that the session already has. Only this user may sign in. */
  expected?: Principal
  /** Shown by the page and by the terminal. */
  userCode: string
  device?: string
  /** The hash of the secret that polling requires. */
  poll?: string
  /** The PKCE verifier, encrypted. */
  verifier: Sealed
  /** The hash of the cookie of the browser that opened the flow. */
  browser?: string
  /** True if the user has clicked, or if no click was needed. */
  approved: boolean
  loopback?: string
  loopbackCode?: string
  /** The address to which the browser is redirected at the end. */
  returnTo?: string
  flowId?: string
  generationId?: string
  attempt?: string
  error?: string
  /** Only in the state `authorized`. */
  tokens?: Sealed
  /** Only in the state `connected`. */
  finished?: Finished
  deliveredAt?: number
  polling: { intervalMs: number; lastAt?: number }
  /** The device flow (RFC 8628). The service is polled when the client polls. */
  deviceFlow?: { code: Sealed; intervalMs: number; nextAt: number }
}

export const boundToFlow = (stateHash: string) => ['flow', stateHash]

/** Returns a flow, or null if it does not exist or has expired. */
export async function readFlow(broker: Broker, state: string | null) {
  if (!state || state.length > 200) return null
  const hash = await hashOf(state)
  const { now, row } = await readRow<FlowRow>(broker.store, flowRef(hash))
  return row && now < row.until ? { hash, row, now } : null
}

export function sameUser(a: Principal, b: Principal): boolean {
  return userPartition(a) === userPartition(b)
}
