import { HoldpointError } from '@holdpoint/core'
import { digestOf } from '../../base/canonical-json.ts'
import type { Engine } from '../../engine/api/engine.ts'
import type { CallRef, SessionRef } from '../../engine/api/interactions.ts'

const YES: ReadonlySet<string> = new Set(['approve', 'submit'])

/** The state of a call in the store. The message history has no influence. */
export interface CallStanding {
  state: /** No question was asked. */
    | 'unknown'
    /** The question was asked with another input. */
    | 'other_input'
    /** A question is open. */
    | 'waiting'
    /** The question is settled. */
    | 'settled'
    /** The call runs or has ended. Another caller joins it or gets its record. */
    | 'begun'
  /** True if one of the call's questions was denied. */
  refused?: boolean
}

/** Reads the state of a call without claiming the call, so that several requests can read it at the same time. */
export async function standingOf(
  { reads }: Pick<Engine, 'reads'>,
  session: SessionRef,
  { input, ...ids }: CallRef & { input: unknown },
): Promise<CallStanding> {
  const call = await reads.call(session, ids)
  if (!call) return { state: 'unknown' }
  if (call.begun) return { state: 'begun' }
  if (call.inputDigest === undefined) return { state: 'unknown' }
  if (call.inputDigest !== digestOf(input)) return { state: 'other_input' }
  const live = call.interactions.filter((one) => one.live)
  if (live.some(({ status }) => status !== 'answered')) return { state: 'waiting' }
  return { state: 'settled', refused: live.some(({ answer }) => answer && !YES.has(answer.action)) }
}

/** Returns the error of a tool call that must not run. The model reads it as the error of the tool. */
export function callNotAllowed(state: keyof typeof reasons, toolName: string): HoldpointError {
  const [code, why] = reasons[state]
  return new HoldpointError(code, `${toolName} was not run${why}`)
}

const reasons = {
  unknown: [
    'approval_not_asked',
    ': no approval was requested for this call, although the messages claim one. Pass toolApproval: hp.toolApproval to streamText, and the same runId when the request is repeated.',
  ],
  other_input: [
    'call_mismatch',
    ', because the question showed another input of this call. An approval covers only the input that was shown.',
  ],
  waiting: [
    'interaction_waiting',
    ': the person has not answered yet. Send the request again once the question is settled.',
  ],
} as const
