import type { UseChatHelpers } from '@ai-sdk/react'
import { isOpen } from '@holdpoint/core'
import type { ChatRequestOptions, UIMessage } from 'ai'
import { useCallback, useRef } from 'react'
import { useLatest } from '../base/use-latest.ts'
import { useHoldpointClient } from '../hooks/use-client.ts'
import { useSettings } from '../settings/context.ts'
import { lastStepOf } from './last-step.ts'
import { answerOf, mustArrive, soon } from './own-buttons.ts'
import { interactionOf, isWaiting } from './questions-of-parts.ts'
import { useAnswers } from './use-answers.ts'
import { useResume } from './use-resume.ts'

/** Settings of `useHoldpointChat`. */
export interface HoldpointChatOptions {
  /**
   * Called when another tab or device has continued this turn: load the messages again. Without it this page continues
   * as well: the tool still runs once, but each page sends a request to the model.
   */
  onContinuedElsewhere?: () => void
}

/**
 * Continues a chat of `useChat` when its questions are answered: here, in another tab, or on another device. Wrap the
 * result of `useChat`, below a `<HoldpointProvider client={client}>`, and omit `sendAutomaticallyWhen` for approvals:
 * the request is sent once for each set of answers, never in a loop.
 *
 * Your own buttons keep working: `addToolApprovalResponse` of the returned object records the answer in the session
 * first.
 *
 * @example
 * const chat = useHoldpointChat(useChat({ id: chatId, messages }))
 * return chat.messages.map((message) =>
 * message.parts.map((part, index) =>
 * part.type === 'text' ? <p key={index}>{part.text}</p> : <HoldpointPart key={index} part={part} message={message} />,
 * ),
 * )
 */
export function useHoldpointChat<Message extends UIMessage>(
  chat: UseChatHelpers<Message>,
  { onContinuedElsewhere }: HoldpointChatOptions = {},
): UseChatHelpers<Message> {
  const client = useHoldpointClient()
  const { clock } = useSettings()
  const latest = useLatest(chat)
  const requestOptions = useRef<ChatRequestOptions | undefined>(undefined)
  useAnswers(chat, onContinuedElsewhere)
  useResume(chat, requestOptions)

  const addToolApprovalResponse: typeof chat.addToolApprovalResponse = useCallback(
    async (response) => {
      const { id, approved, reason, options } = response
      const step = lastStepOf(latest().messages)
      const part = step?.parts.find((one) => isWaiting(one) && one.approval.id === id)
      const find = () => part && step && interactionOf(part, step.message, step.turn, client.getSnapshot())
      const interaction = find() ?? (part?.approval?.descriptor ? await soon(client, find, clock) : undefined)
      // An approval of a tool without Holdpoint.
      if (!interaction) return await latest().addToolApprovalResponse(response)
      requestOptions.current = options
      if (isOpen(interaction)) {
        mustArrive(await client.respond(interaction.interactionId, answerOf(interaction, approved, reason)))
      }
    },
    [client, clock, latest],
  )
  return { ...chat, addToolApprovalResponse }
}
