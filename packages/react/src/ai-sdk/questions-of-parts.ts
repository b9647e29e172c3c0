import { type Interaction, type SessionState, selectForToolCall } from '@holdpoint/core'
import type { UIMessage } from 'ai'

type Part = UIMessage['parts'][number]
export type ToolPart = Extract<Part, { toolCallId: string }>
type WaitingPart = Extract<ToolPart, { state: 'approval-requested' }>

/** The facts about a question from the server's bridge, in an approval's descriptor or in a `data-holdpoint` part. */
interface Descriptor {
  interactionId: string
  runId: string
  toolCallId: string
}

export function isToolPart(part: Part): part is ToolPart {
  return 'toolCallId' in part
}

export function isWaiting(part: Part): part is WaitingPart {
  return isToolPart(part) && part.state === 'approval-requested'
}

/** The question that a `data-holdpoint` part is about. */
export function questionOf(part: Part): Descriptor | undefined {
  return part.type === 'data-holdpoint' && 'data' in part ? descriptorIn(part.data) : undefined
}

/** The id of the question that any part names: in its descriptor, or as a `data-holdpoint` part. */
export function namedQuestion(part: Part): string | undefined {
  return (isToolPart(part) ? descriptorIn(part.approval?.descriptor) : questionOf(part))?.interactionId
}

/** Returns the turn of a tool part, because providers reuse tool call ids. Undefined if no part names it. */
export function runOf(part: ToolPart, message: UIMessage): string | undefined {
  const named = message.parts.map(questionOf).find((question) => question?.toolCallId === part.toolCallId)
  return (descriptorIn(part.approval?.descriptor) ?? named)?.runId
}

/**
 * Returns the question of a native approval part from the session. A part without a question id is matched by its turn
 * (`turn` unless the part names one), so that the answer to an earlier call with the same id does not count for it.
 */
export function interactionOf(
  part: ToolPart,
  message: UIMessage,
  turn: string | undefined,
  state: SessionState,
): Interaction | undefined {
  const id = descriptorIn(part.approval?.descriptor)?.interactionId
  if (id === undefined) {
    const runId = runOf(part, message) ?? turn
    const found = selectForToolCall(state, part.toolCallId, runId)
    return runId !== undefined && found?.runId === runId ? found : undefined
  }
  let found = state.interactions.get(id)
  for (const seen = new Set<string>(); found?.replacedBy && !seen.has(found.interactionId); ) {
    seen.add(found.interactionId)
    found = state.interactions.get(found.replacedBy) ?? found
  }
  return found
}

/** Messages are untrusted input, so a descriptor of another shape is ignored. */
function descriptorIn(value: unknown): Descriptor | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { interactionId, runId, toolCallId } = value as Record<string, unknown>
  const complete = [interactionId, runId, toolCallId].every((one) => typeof one === 'string')
  return complete ? (value as Descriptor) : undefined
}
