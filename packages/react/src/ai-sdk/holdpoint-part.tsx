import type { UIMessage } from 'ai'
import { useEffect } from 'react'
import { ToolInteraction, type ToolInteractionProps } from '../interaction-view/tool-interaction.tsx'
import { useSettings } from '../settings/context.ts'
import { isToolPart, namedQuestion, questionOf, runOf } from './questions-of-parts.ts'

/** One part of a message with its message, and the props of the card. */
export interface HoldpointPartProps extends Omit<ToolInteractionProps, 'toolCallId' | 'runId' | 'part'> {
  /** Any part of the message. A part without a question renders nothing. */
  part: UIMessage['parts'][number]
  message: UIMessage
}

/**
 * Shows the question of one part of an AI SDK message, at its tool call. A `data-holdpoint` part renders only if its
 * message has no part of the call, so that each question has one place.
 *
 * @example message.parts.map((part, index) => <HoldpointPart key={index} part={part} message={message} />)
 */
export function HoldpointPart({ part, message, ...card }: HoldpointPartProps) {
  useNamedQuestion(namedQuestion(part))
  if (isToolPart(part)) {
    const runId = runOf(part, message)
    const toolTitle = card.toolTitle ?? ('title' in part && typeof part.title === 'string' ? part.title : undefined)
    return (
      <ToolInteraction
        {...card}
        toolTitle={toolTitle}
        toolCallId={part.toolCallId}
        {...(runId !== undefined && { runId })}
      />
    )
  }
  const question = questionOf(part)
  if (!question || !isFirstOf(question.toolCallId, part, message)) return null
  const { toolCallId, runId } = question
  return <ToolInteraction {...card} toolCallId={toolCallId} runId={runId} />
}

/**
 * The chat's own stream may name a question before the client has it. The client then reads the session at once instead
 * of waiting for its next attempt.
 */
function useNamedQuestion(interactionId: string | undefined): void {
  const { client } = useSettings()
  useEffect(() => {
    if (client && interactionId !== undefined && !client.getSnapshot().interactions.has(interactionId)) {
      client.reconnect()
    }
  }, [client, interactionId])
}

function isFirstOf(toolCallId: string, part: HoldpointPartProps['part'], { parts }: UIMessage): boolean {
  const first = parts.find((one) => (isToolPart(one) ? one : questionOf(one))?.toolCallId === toolCallId)
  return first === part && !parts.some((one) => isToolPart(one) && one.toolCallId === toolCallId)
}
