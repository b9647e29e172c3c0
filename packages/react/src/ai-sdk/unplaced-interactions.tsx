import type { Interaction } from '@holdpoint/core'
import type { UIMessage } from 'ai'
import { usePendingInteractions } from '../hooks/use-interactions.ts'
import { InteractionView, type InteractionViewProps } from '../interaction-view/interaction-view.tsx'
import { isToolPart, questionOf, runOf } from './questions-of-parts.ts'

/** The messages on the page, and the props of the cards. */
export interface UnplacedInteractionsProps extends Omit<InteractionViewProps, 'interaction'> {
  messages: readonly UIMessage[]
}

/**
 * Shows the open questions that no part of these messages shows: those of a stream that a reload cut off, and those
 * asked outside the chat. Render it below the messages.
 *
 * @example
 * <UnplacedInteractions messages={chat.messages} />
 */
export function UnplacedInteractions({ messages, ...card }: UnplacedInteractionsProps) {
  const pending = usePendingInteractions()
  return pending
    .filter((interaction) => !messages.some((message) => shows(message, interaction)))
    .map((interaction) => <InteractionView {...card} key={interaction.interactionId} interaction={interaction} />)
}

function shows(message: UIMessage, { toolCallId, runId }: Interaction): boolean {
  return message.parts.some((part) => {
    const question = isToolPart(part) ? { toolCallId: part.toolCallId, runId: runOf(part, message) } : questionOf(part)
    if (question?.toolCallId !== toolCallId) return false
    return question.runId === undefined || runId === undefined || question.runId === runId
  })
}
