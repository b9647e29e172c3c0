import { HoldpointError } from '@holdpoint/core'
import { assertJsonValue } from '../../base/json-value.ts'
import type { ApprovalQuestion, InputQuestion } from '../api/questions.ts'
import { checkRequest, requestDigest, requestEvent, wireRequest } from '../asking/request-event.ts'
import type { PreparedQuestion } from '../waiting/ask-and-wait.ts'
import type { Behavior } from '../waiting/waiter.ts'
import type { ToolParticipant } from './tool-participant.ts'

/** An approval or a form of a tool, with its handlers for the answer. */
export interface QuestionSpec {
  question: ApprovalQuestion | InputQuestion
  behavior: Behavior
  shortcut: boolean
  whenUnavailable: 'wait' | 'throw'
  rememberedKey?: string | undefined
}

/** Prepares a question for the engine: checks it, and adds its identity and its event. */
export function prepareQuestion({ kernel, execution }: ToolParticipant, spec: QuestionSpec): PreparedQuestion {
  const { question, behavior, shortcut, whenUnavailable, rememberedKey } = spec
  const { sessionId, runId, toolCallId, toolName } = execution.identity
  checkQuestion(question)
  if (question.type === 'approval' && question.args !== undefined) {
    assertJsonValue(question.args, { what: 'What an approval shows', for: 'display' }, 'args')
  }
  const request = wireRequest(question)
  const call = { sessionId, runId, toolCallId, toolName }
  checkRequest(requestEvent(request, { ...call, interactionId: 'check', attempt: 1, now: 0 }), kernel.limits)
  if (request.inputSchema?.fields.some(({ type }) => type === 'secret')) kernel.vault.assertUsable()
  const { requester } = question
  return {
    key: question.key,
    kind: question.type,
    digest: requestDigest(toolName, request),
    timeoutMs: request.timeoutMs,
    shortcut,
    onTimeout: behavior.onTimeout !== undefined,
    event: (asking) => requestEvent(request, { ...call, ...asking }),
    ...(rememberedKey !== undefined && { rememberedKey }),
    ...(requester?.remote && { remote: requester.name }),
    behavior,
    whenUnavailable,
    audience: question.audience ?? [],
  }
}

/**
 * Checks for JavaScript what the compiler checks for TypeScript. Otherwise the mistake would appear only after an
 * answer.
 */
function checkQuestion(question: ApprovalQuestion | InputQuestion): void {
  const { type, timeoutMs } = question
  if (type !== 'approval' && type !== 'input') throw cannotAsk('type', "must be 'approval' or 'input'")
  if (type === 'input' && !question.inputSchema) {
    throw cannotAsk('inputSchema', 'is missing: say what is asked (ctx.ask takes fields, schema or jsonSchema)')
  }
  if (timeoutMs !== undefined && typeof timeoutMs !== 'number') {
    throw cannotAsk('timeoutMs', 'must be a number of milliseconds')
  }
}

/** Rejects options with which the question could not be asked or its answer could not be handled. */
export function cannotAsk(path: string, what: string): HoldpointError {
  return new HoldpointError('invalid_request', `The question cannot be asked: "${path}" ${what}.`, {
    details: { path },
  })
}
