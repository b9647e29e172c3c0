import type { UIMessageChunk } from 'ai'
import type { SessionRef } from '../../../engine/api/interactions.ts'
import type { Holdpoint } from '../../../holdpoint.ts'
import { denialChunks } from './denial-chunks.ts'
import type { QuestionDescriptor } from './descriptor.ts'
import { followQuestions } from './follow-questions.ts'

interface Guide {
  session: SessionRef
  runId: string
  /** Returns whether a native approval part shows the question of this call. */
  isNative(toolCallId: string): boolean
  descriptor(toolCallId: string): Promise<QuestionDescriptor | undefined>
  /** Returns the id of the approval that a part of an earlier request has. */
  approvalId(toolCallId: string): string | undefined
  /** Called when the SDK has reported a call as denied. */
  onDenied(toolCallId: string): Promise<void>
}

/**
 * Returns the stream with two additions. Approval parts name their question, and every other question of the turn has
 * its own `data-holdpoint` part, which is replaced in place when the question changes.
 */
export function withQuestions<Chunk extends UIMessageChunk>(
  holdpoint: Holdpoint,
  stream: ReadableStream<Chunk>,
  { session, runId, isNative, descriptor, onDenied, approvalId }: Guide,
): ReadableStream<Chunk> {
  const reader = stream.getReader()
  let stop = () => {}
  return new ReadableStream<Chunk>({
    start(controller) {
      stop = followQuestions(holdpoint, { session, runId, isNative }, (id, data) =>
        // The chunk's type names the data parts of the app's own messages; ours is an additional one.
        controller.enqueue({ type: 'data-holdpoint', id, data } as UIMessageChunk as Chunk),
      )
    },
    async pull(controller) {
      try {
        const { done, value } = await reader.read()
        if (done) {
          stop()
          return controller.close()
        }
        // If the store fails here, the chunk must still reach the user.
        if (value.type === 'tool-output-denied') await onDenied(value.toolCallId).catch(() => {})
        const denial = denialChunks(value, approvalId)
        if (denial) {
          for (const chunk of denial) controller.enqueue(chunk as Chunk)
          return
        }
        if (value.type !== 'tool-approval-request' || value.isAutomatic) return controller.enqueue(value)
        const approvalDescriptor = await descriptor(value.toolCallId)
        controller.enqueue(approvalDescriptor ? { ...value, approvalDescriptor } : value)
      } catch (error) {
        stop()
        controller.error(error)
      }
    },
    async cancel(reason) {
      stop()
      await reader.cancel(reason)
    },
  })
}
