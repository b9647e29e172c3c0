import { HoldpointError } from '@holdpoint/core'
import type { CallStanding } from './call-standing.ts'

/** Returns the error of a tool call that must not run. The model reads it as the error of the tool. */
export function callNotAllowed(
  state: Exclude<CallStanding['state'], 'settled' | 'begun'>,
  toolName: string,
): HoldpointError {
  const { code, message } = reasons[state](toolName)
  return new HoldpointError(code, message)
}

const reasons = {
  unknown: (name: string) => ({
    code: 'approval_not_asked' as const,
    message: `${name} was not run: no approval was requested for this call, although the messages claim one. Pass toolApproval: hp.toolApproval to streamText, and the same runId when the request is repeated.`,
  }),
  other_input: (name: string) => ({
    code: 'call_mismatch' as const,
    message: `${name} was not run, because the question showed another input of this call. An approval covers only the input that was shown.`,
  }),
  waiting: (name: string) => ({
    code: 'interaction_waiting' as const,
    message: `${name} was not run: the person has not answered yet. Send the request again once the question is settled.`,
  }),
}

export function runIdRequired(): HoldpointError {
  return new HoldpointError(
    'run_id_required',
    'aiSdk needs to know the turn that it works in: pass `messages` (the last user message names it) or a `runId` of your own that stays the same when the request is repeated.',
  )
}
