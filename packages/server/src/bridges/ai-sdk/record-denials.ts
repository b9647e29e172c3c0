import type { UIMessage } from 'ai'
import type { Principal } from '../../base/principal.ts'
import type { Engine } from '../../engine/api/engine.ts'
import { continuedParts } from './tool-parts.ts'

const NO = { approval: 'deny', input: 'decline', connect: 'cancel' } as const

/**
 * Records denials from the messages, because a chat with its own buttons denies a question only there. This is safe: a
 * denial runs nothing, and its sender could have denied the question here. The question then ends in all clients.
 */
export async function recordDenials(
  engine: Engine,
  { sessionId, runId, principal }: { sessionId: string; runId: string; principal: Principal },
  messages: readonly UIMessage[],
): Promise<void> {
  for (const { state, toolCallId, approval } of continuedParts(messages)) {
    if (state !== 'approval-responded' || approval.approved) continue
    const call = await engine.reads.call({ tenant: principal.tenant ?? '', sessionId }, { runId, toolCallId })
    const open = call?.interactions.find(({ status }) => status === 'open')
    if (!open) continue
    const { interactionId, kind } = open
    await engine.answer(principal, sessionId, {
      type: 'tool_interaction_response',
      clientId: 'ai-sdk',
      // The id is the same for every repetition of the request.
      answerId: `ai-sdk ${interactionId}`,
      callId: toolCallId,
      interactionId,
      action: NO[kind],
      ...(approval.reason !== undefined && { reason: approval.reason }),
    })
  }
}
