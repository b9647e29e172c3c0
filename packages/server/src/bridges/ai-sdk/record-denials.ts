import type { UIMessage } from 'ai'
import type { Principal } from '../../base/principal.ts'
import type { Engine } from '../../engine/api/engine.ts'
import { callId } from '../../engine/records/keys.ts'
import { decodeRow } from '../../engine/records/row-codec.ts'
import type { CallRow, QuestionRow } from '../../engine/state/rows.ts'
import { continuedParts } from './tool-parts.ts'

const NO = { approval: 'deny', input: 'decline', connect: 'cancel' } as const

/**
 * A chat whose own buttons do not use Holdpoint denies a question only in its messages. A denial from messages is safe
 * to record: it runs nothing, and its sender could have denied the question here. The question then ends as answered on
 * every screen.
 */
export async function recordDenials(
  engine: Engine,
  { partition, runId, ...who }: { partition: string; sessionId: string; runId: string; principal: Principal },
  messages: readonly UIMessage[],
): Promise<void> {
  for (const { state, toolCallId, approval } of continuedParts(messages)) {
    if (state !== 'approval-responded' || approval.approved) continue
    const open = await openQuestion(engine, partition, callId(runId, toolCallId))
    if (!open) continue
    const { id: interactionId, kind } = open
    await engine.answer(who.principal, who.sessionId, {
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

async function openQuestion({ store }: Engine, partition: string, call: string): Promise<QuestionRow | undefined> {
  const [found] = (await store.load([{ partition, kind: 'call', id: call }])).rows
  if (!found) return undefined
  const { keys } = decodeRow('call', found.data) as CallRow
  const ids = Object.values(keys).map(({ interactionId }) => interactionId)
  const { rows } = await store.load(ids.map((id) => ({ partition, kind: 'question', id })))
  return rows
    .map((row) => row && (decodeRow('question', row.data) as QuestionRow))
    .find((row): row is QuestionRow => row?.status === 'open')
}
