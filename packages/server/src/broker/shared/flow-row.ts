import type { Principal } from '../../base/principal.ts'
import { hashOf } from '../../security/hashes.ts'
import { flowRef, userPartition } from '../../security/keys.ts'
import type { Sealed } from '../../security/vault.ts'
import { readRow } from '../../store/shared/change-row.ts'
import type { Broker } from './broker.ts'

export const FLOW_MS = 10 * 60 * 1000

export type FlowState =
  | 'open'
  /** The code, or the device code, is being exchanged. This state is final: `state` is spent. */
  | 'exchanging'
  /** Granted; waits for the code that the browser brought to the starter's machine. */
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

/** One connecting under way, under the hash of its `state`. */
export interface FlowRow {
  integration: string
  scopes: string[]
  createdAt: number
  until: number
  state: FlowState
  /** The user who started the flow, if known. Only this user may finish it. */
  owner?: Principal
  /** Of a flow that signs in: the hash of its session, and the user that the session already has. */
  session?: string
  /** It ends with session tokens for the client that polls. */
  signsIn?: boolean
  expected?: Principal
  /** Shown by the page and by the terminal. */
  userCode: string
  device?: string
  /** The secret that polling needs, hashed. */
  poll?: string
  /** PKCE; useless without the vault. */
  verifier: Sealed
  /** The browser that began it, by the hash of its cookie. */
  browser?: string
  /** The person has clicked, or no click was needed. */
  approved: boolean
  loopback?: string
  loopbackCode?: string
  /** Where the browser goes afterwards. */
  returnTo?: string
  flowId?: string
  generationId?: string
  attempt?: string
  error?: string
  /** Of `authorized`. */
  tokens?: Sealed
  /** Of `connected`. */
  finished?: Finished
  deliveredAt?: number
  polling: { intervalMs: number; lastAt?: number }
  /** RFC 8628: asked at the service when the starter polls. */
  deviceFlow?: { code: Sealed; intervalMs: number; nextAt: number }
}

export const boundToFlow = (stateHash: string) => ['flow', stateHash]

/** A flow that is there and not too old. */
export async function readFlow(broker: Broker, state: string | null) {
  if (!state || state.length > 200) return null
  const hash = await hashOf(state)
  const { now, row } = await readRow<FlowRow>(broker.store, flowRef(hash))
  return row && now < row.until ? { hash, row, now } : null
}

export function sameUser(a: Principal, b: Principal): boolean {
  return userPartition(a) === userPartition(b)
}
