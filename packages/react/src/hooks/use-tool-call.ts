import type { ToolCallState } from '@holdpoint/core'
import { useHoldpointClient } from './use-client.ts'
import { useTopic } from './use-topic.ts'

/**
 * Returns one tool call: its status, its log lines so far, and the ids of its questions.
 *
 * @example
 * const call = useToolCall(part.toolCallId)
 * return <pre>{call?.logs.join('\n')}</pre>
 */
export function useToolCall(toolCallId: string): ToolCallState | undefined {
  const client = useHoldpointClient()
  return useTopic(client, `call:${toolCallId}`, (state) => state.toolCalls.get(toolCallId))
}
