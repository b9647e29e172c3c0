import { digestOf } from '../../base/canonical-json.ts'
import type { Engine } from '../../engine/api/engine.ts'
import type { CallRef, SessionRef } from '../../engine/api/interactions.ts'
import { INPUT } from '../handlers/ask-at-gate.ts'

const YES: ReadonlySet<string> = new Set(['approve', 'submit'])

/** The state of a call in the store. The message history has no influence. */
export interface CallStanding {
  state: /** No question was asked. */
    | 'unknown'
    /** The question was asked with another input. */
    | 'other_input'
    /** The question with `interactionId` is open. */
    | 'waiting'
    /** The question is settled. */
    | 'settled'
    /** The call runs or has ended. Another caller joins it or gets its record. */
    | 'begun'
  interactionId?: string
  /** True if one of the call's questions was denied. */
  refused?: boolean
}

/** Reads the state of a call without claiming the call, so that several requests can read it at the same time. */
export async function standingOf(
  { reads }: Pick<Engine, 'reads'>,
  session: SessionRef,
  { input, ...ids }: CallRef & { input: unknown },
): Promise<CallStanding> {
  const call = await reads.call(session, ids, INPUT)
  if (!call) return { state: 'unknown' }
  if (call.begun) return { state: 'begun' }
  if (call.recorded === undefined) return { state: 'unknown' }
  if (call.recorded !== digestOf(input)) return { state: 'other_input' }
  const live = call.interactions.filter((one) => one.live)
  const open = live.find(({ status }) => status !== 'answered')
  if (open) return { state: 'waiting', interactionId: open.interactionId }
  return { state: 'settled', refused: live.some(({ answer }) => answer && !YES.has(answer.action)) }
}
