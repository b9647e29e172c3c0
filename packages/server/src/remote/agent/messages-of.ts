/** The messages to the back end, in the format of its webhook. */
export type AgentMessage =
  | { type: 'text'; id: string; text: string }
  | { type: 'tool-call'; toolCallId: string; toolName: string; input: unknown }
  | { type: 'tool-result'; toolCallId: string; toolName: string; output: unknown }

/** A part of the AI SDK's `fullStream`. Parts of other types are ignored here. */
export interface StreamPart {
  readonly type: string
}

type Part = Readonly<Record<string, unknown>> & StreamPart

/** Returns a function that combines the parts of a stream to complete messages. */
export function messageCollector(): (part: StreamPart) => AgentMessage | null {
  const texts = new Map<string, string>()
  return (streamed) => {
    const part = streamed as Part
    const id = String(part.id ?? '')
    const call = { toolCallId: String(part.toolCallId ?? ''), toolName: String(part.toolName ?? '') }
    switch (part.type) {
      case 'text-start':
        texts.set(id, '')
        return null
      case 'text-delta':
        texts.set(id, `${texts.get(id) ?? ''}${part.text ?? part.delta ?? ''}`)
        return null
      case 'text-end': {
        const text = texts.get(id) ?? ''
        texts.delete(id)
        return text === '' ? null : { type: 'text', id, text }
      }
      case 'tool-call':
        return { type: 'tool-call', ...call, input: part.input ?? null }
      case 'tool-result':
        return part.preliminary === true ? null : { type: 'tool-result', ...call, output: part.output ?? null }
      case 'tool-error':
        return { type: 'tool-result', ...call, output: { error: 'The tool failed.' } }
      default:
        return null
    }
  }
}
