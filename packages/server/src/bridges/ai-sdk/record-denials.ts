import type { UIMessage } from 'ai'
import type { Principal } from '../../base/principal.ts'
import type { Engine } from '../../engine/api/engine.ts'
import { continuedParts } from './tool-parts.ts'

const NO = { approval: 'deny', input: 'decline', connect: 'cancel' } as const

/**
 * A chat whose own buttons do not use Holdpoint denies a question only in its messages. A denial from messages is safe
 * to record: it runs nothing, and its sender could have denied the question here. The question then ends as answered on
 * every screen.
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
      // The same for every repeat of the request.
      answerId: `ai-sdk ${interactionId}`,
      callId: toolCallId,
      interactionId,
      action: NO[kind],
      ...(approval.reason !== undefined && { reason: approval.reason }),
    })
  }
}
