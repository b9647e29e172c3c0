import type { UIMessageChunk } from 'ai'
import { isToolNotRun } from '../../handlers/tool-not-run.ts'

/**
 * Converts the output of a call that was denied while the stream was open to the chunks that the AI SDK itself writes
 * for a denial: a denied approval and a denied output. Without them the message would show a completed call. Returns
 * undefined for every other chunk. `asked` is the approval that the part has already.
 */
export function denialChunks(
  chunk: UIMessageChunk,
  asked: (toolCallId: string) => string | undefined,
): UIMessageChunk[] | undefined {
  if (chunk.type !== 'tool-output-available' || !isToolNotRun(chunk.output) || chunk.output.holdpoint !== 'denied') {
    return undefined
  }
  const { toolCallId, output } = chunk
  const known = asked(toolCallId)
  const approvalId = known ?? `holdpoint-${toolCallId}`
  const reason = output.reason === undefined ? {} : { reason: output.reason }
  return [
    ...(known ? [] : [{ type: 'tool-approval-request' as const, approvalId, toolCallId, isAutomatic: true }]),
    { type: 'tool-approval-response', approvalId, approved: false, ...reason },
    { type: 'tool-output-denied', toolCallId },
  ]
}
