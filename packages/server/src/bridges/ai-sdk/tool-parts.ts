import type { ModelMessage, UIMessage } from 'ai'

type Part = UIMessage['parts'][number]
export type ToolPart = Extract<Part, { toolCallId: string }>

export function isToolPart(part: Part): part is ToolPart {
  return 'toolCallId' in part
}

export function toolNameOf(part: ToolPart): string {
  return part.type === 'dynamic-tool' ? part.toolName : part.type.slice('tool-'.length)
}

/** Returns the tool parts of the message that a resumed request continues. */
export function continuedParts(messages: readonly UIMessage[]): ToolPart[] {
  const last = messages.at(-1)
  return last?.role === 'assistant' ? last.parts.filter(isToolPart) : []
}

/** Returns whether the SDK considers this request the continuation after an approval: the last message answers it. */
export function isAnsweredIn(messages: readonly ModelMessage[], toolCallId: string): boolean {
  const last = messages.at(-1)
  if (last?.role !== 'tool') return false
  const parts = messages.flatMap(({ role, content }) => (role === 'assistant' && Array.isArray(content) ? content : []))
  const asked = new Set(
    parts.flatMap((part) =>
      part.type === 'tool-approval-request' && part.toolCallId === toolCallId ? [part.approvalId] : [],
    ),
  )
  return last.content.some((part) => part.type === 'tool-approval-response' && asked.has(part.approvalId))
}
