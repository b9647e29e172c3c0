import type { ErrorBody } from '@holdpoint/core/internal'
import { parseClientMessage } from '@holdpoint/core/protocol'
import { isId } from '../../base/assert-ids.ts'
import { refusal } from '../access/authorize.ts'
import { answerQuestion } from '../answering/answer-question.ts'
import type { AnsweringKernel } from '../answering/answering-kernel.ts'
import type { Reply } from '../api/engine.ts'
import type { AnswerOptions, AnswerOutcome } from '../api/interactions.ts'

/**
 * Answers an interaction from code. The answer takes the same way as one over HTTP: the same checks of its shape, the
 * same authorization and validation, one winner, and the same codes.
 */
export async function answerFromCode(kernel: AnsweringKernel, options: AnswerOptions): Promise<AnswerOutcome> {
  return outcomeOf(await reply(kernel, options))
}

/** Stands where a message has the id of its call. Code names the interaction only. */
const FROM_CODE = 'from code'

async function reply(kernel: AnsweringKernel, options: AnswerOptions): Promise<Reply> {
  const { principal, sessionId, interactionId, answerId, clientId, answer } = options
  // The id can be from a message of another program. No session has it.
  if (!isId(sessionId)) return refusal('not_found')
  const ids = { callId: FROM_CODE, interactionId, answerId, clientId }
  const message = { ...answer, type: 'tool_interaction_response', ...ids }
  const parsed = parseClientMessage(JSON.stringify(message), kernel.limits)
  if (!parsed.ok) return parsed
  if (parsed.value.type !== 'tool_interaction_response') return refusal('unknown_message')
  return await answerQuestion(kernel, principal, sessionId, parsed.value, { anyCall: true })
}

function outcomeOf({ status, body }: Reply): AnswerOutcome {
  if (status === 200) {
    const { replayed } = body as { replayed?: boolean }
    return { status: 'accepted', ...(replayed && { replayed }) }
  }
  const { code, message, fieldErrors, respondedBy, respondedAt, retryAfterMs } = (body as ErrorBody).error
  return {
    status: 'refused',
    code,
    message,
    ...(fieldErrors && { fieldErrors }),
    ...(respondedBy && { respondedBy }),
    ...(respondedAt !== undefined && { respondedAt }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  } as AnswerOutcome
}
