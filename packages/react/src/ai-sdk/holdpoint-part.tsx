import type { UIMessage } from 'ai'
import { ToolInteraction, type ToolInteractionProps } from '../interaction-view/tool-interaction.tsx'
import { isToolPart, questionOf, runOf } from './questions-of-parts.ts'

/** One part of a message with its message, and what is handed on to the card. */
export interface HoldpointPartProps extends Omit<ToolInteractionProps, 'toolCallId' | 'runId' | 'part'> {
  /** Any part of the message; parts that have nothing to do with questions show nothing. */
  part: UIMessage['parts'][number]
  message: UIMessage
}

/**
 * What the person is asked about one part of a message of the AI SDK, in its place: at the tool call. A `data-holdpoint`
 * part shows something only where its message has no part of the call, so that a question has one place.
 *
 * @example
 * message.parts.map((part, index) => <HoldpointPart key={index} part={part} message={message} />)
 */
export function HoldpointPart({ part, message, ...card }: HoldpointPartProps) {
  if (isToolPart(part)) {
    const runId = runOf(part, message)
    return <ToolInteraction {...card} toolCallId={part.toolCallId} {...(runId !== undefined && { runId })} />
  }
  const question = questionOf(part)
  if (!question || !isFirstOf(question.toolCallId, part, message)) return null
  const { toolCallId, runId } = question
  return <ToolInteraction {...card} toolCallId={toolCallId} runId={runId} />
}

function isFirstOf(toolCallId: string, part: HoldpointPartProps['part'], { parts }: UIMessage): boolean {
  const first = parts.find((one) => (isToolPart(one) ? one : questionOf(one))?.toolCallId === toolCallId)
  return first === part && !parts.some((one) => isToolPart(one) && one.toolCallId === toolCallId)
}
