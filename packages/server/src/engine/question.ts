import type { Interaction, Participant } from './interact.ts'
import type { ApprovalQuestion, InputQuestion } from './requests.ts'
import type { Behaviour } from './waiter.ts'
import { checkRequest, requestDigest, requestEvent, wireRequest } from './wire-request.ts'

/** An approval or a form as a tool puts it, with what it does about the answer. */
export interface Spoken {
  question: ApprovalQuestion | InputQuestion
  behaviour: Behaviour
  shortcut: boolean
  whenUnavailable: 'wait' | 'throw'
  grantKey?: string | undefined
}

/** Puts it so that the engine can ask it: checked, with its identity, and the event that will carry it. */
export function ask({ core, execution }: Participant, spoken: Spoken): Interaction {
  const { question, behaviour, shortcut, whenUnavailable, grantKey } = spoken
  const { sessionId, runId, toolCallId, toolName } = execution.identity
  const request = wireRequest(question)
  const call = { sessionId, runId, toolCallId, toolName }
  checkRequest(requestEvent(request, { ...call, interactionId: 'check', attempt: 1, now: 0 }), core.limits)
  if (request.inputSchema?.fields.some(({ type }) => type === 'secret')) core.vault.assertUsable()
  const { requester } = question
  return {
    key: question.key,
    kind: question.type,
    digest: requestDigest(toolName, request),
    timeoutMs: request.timeoutMs,
    shortcut,
    onTimeout: behaviour.onTimeout !== undefined,
    event: (asking) => requestEvent(request, { ...call, ...asking }),
    ...(grantKey !== undefined && { grantKey }),
    ...(requester?.remote && { remote: requester.name }),
    behaviour,
    whenUnavailable,
    audience: question.audience ?? [],
  }
}
