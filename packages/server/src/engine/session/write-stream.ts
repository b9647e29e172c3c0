import type { TurnWriter } from './turn-writer.ts'

/** A part of a model's stream. Those of the AI SDK's `fullStream` are understood; others pass by. */
export interface StreamPart {
  readonly type: string
}

/** How a stream ended: by itself, at a question, because of a new message or a stop, or by an error. */
export type StreamEnd = 'done' | 'paused' | 'aborted' | 'error'

type Part = Readonly<Record<string, unknown>> & StreamPart

/** Reads only as fast as the store writes, and stops when the turn ends. */
export async function streamInto(
  writer: TurnWriter,
  end: (how: 'paused' | 'done' | 'error', reason?: string) => Promise<'paused' | 'done' | 'error'>,
  parts: AsyncIterable<StreamPart>,
): Promise<StreamEnd> {
  const iterator = parts[Symbol.asyncIterator]()
  const started = new Set<string>()
  const { signal } = writer
  const over = new Promise<'over'>((resolve) => {
    if (signal.aborted) resolve('over')
    else signal.addEventListener('abort', () => resolve('over'), { once: true })
  })
  let failed = false
  try {
    for (;;) {
      const next = await Promise.race([iterator.next(), over])
      if (next === 'over') {
        // Not awaited, because a model that hangs must not block the caller.
        void iterator.return?.()?.catch(() => {})
        return 'aborted'
      }
      if (next.done) return await end(failed ? 'error' : 'done')
      const part = next.value as Part
      if (part.type === 'abort') return await end('paused', 'aborted')
      failed ||= part.type === 'error'
      for (const event of eventsOf(part, started)) await writer.write(event)
    }
  } catch (error) {
    if (signal.aborted) return 'aborted'
    void iterator.return?.()?.catch(() => {})
    await end('error').catch(() => {})
    throw error
  }
}

type TextOrCallEvent = { type: string; [field: string]: unknown }

function eventsOf(part: Part, started: Set<string>): TextOrCallEvent[] {
  const { toolName, input, output } = part
  const toolCallId = String(part.toolCallId ?? part.id ?? '')
  const call = { toolCallId, toolName: String(toolName ?? '') }
  switch (part.type) {
    case 'text-delta':
      return [{ type: 'content', text: String(part.text ?? part.delta ?? '') }]
    case 'tool-input-start':
      started.add(toolCallId)
      return [{ type: 'tool_call_start', ...call }]
    case 'tool-call':
      if (started.has(toolCallId)) return [{ type: 'tool_call_update', toolCallId, input }]
      started.add(toolCallId)
      return [{ type: 'tool_call_start', ...call, input }]
    case 'tool-result':
      // A preliminary result of a tool.
      if (part.preliminary === true) return [{ type: 'tool_call_update', toolCallId, output }]
      return [{ type: 'tool_call_complete', ...call, status: 'completed', output }]
    case 'tool-error':
      return [
        {
          type: 'tool_call_complete',
          ...call,
          status: 'error',
          error: { code: 'tool_failed', message: 'The tool failed.' },
        },
      ]
    case 'tool-output-denied':
      return [{ type: 'tool_call_complete', ...call, status: 'declined' }]
    default:
      return []
  }
}
