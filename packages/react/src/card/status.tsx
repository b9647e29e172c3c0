import { say } from '@holdpoint/core/internal'
import type { Messages } from '@holdpoint/core/messages'
import { type ReactNode, useSyncExternalStore } from 'react'
import type { CardAction } from '../wording/answer-text.ts'
import { actionText, unsentText } from '../wording/answer-text.ts'
import { visible } from '../wording/escape.ts'
import { SafeText, Text } from '../wording/text.tsx'
import { CardButton } from './elements/button.tsx'
import { useCard } from './elements/card-context.ts'
import { Part, type PartProps } from './elements/part.tsx'

/**
 * Shows the problem of the previous answer, and a temporary message about the connection or the last attempt. The
 * temporary message appears and disappears while a user may be about to press a button, so inside of `Actions` it is
 * placed after the buttons and moves none of them.
 */
export function CardStatus(props: PartProps) {
  const { open, request, id } = useCard()
  const [text, tone = 'quiet', action] = useNote()
  if (!open) return null
  return (
    <>
      {request?.error ? (
        <Part slotName="error">
          <SafeText>{request.error}</SafeText>
        </Part>
      ) : null}
      {text ? (
        <Part slotName="status" id={id('status')} data-tone={tone} {...props}>
          {props.children ?? (
            <>
              <Text>{text}</Text>
              {action}
            </>
          )}
        </Part>
      ) : null}
    </>
  )
}

type Note = [text?: string | false | undefined, tone?: 'problem' | undefined, action?: ReactNode]

function useNote(): Note {
  const { interaction, view, action, unsent, messages, client, onSignIn } = useCard()
  const begun = useBegun()
  if (action) return noteOfAction(actionText(action, messages), action.status, messages)
  switch (view.state) {
    case 'submitting':
      return [messages.submitting]
    case 'not-sent':
      return [unsentText(interaction, unsent, messages), 'problem', <Unsent key="unsent" />]
    case 'signed-out':
      return [
        begun ? messages.signedOutKept : messages.signedOut,
        'problem',
        <span key="signed-out" className="hp-status-actions">
          {onSignIn ? (
            <CardButton slotName="sign-in" variant="secondary" onPress={() => onSignIn()}>
              {messages.signIn}
            </CardButton>
          ) : null}
          {unsent ? <SendAgain /> : null}
        </span>,
      ]
    case 'read-only':
      return [
        messages.readOnly,
        undefined,
        client ? (
          <CardButton key="enable" slotName="enable" variant="quiet" onPress={() => client.setInteractionMode(true)}>
            {messages.turnOn}
          </CardButton>
        ) : null,
      ]
    case 'may-not-answer':
      return [messages.notAllowed]
    case 'unknown-kind':
      return [messages.unknownText]
    case 'disconnected':
      return [
        begun ? messages.disconnectedKept : messages.disconnected,
        undefined,
        client ? (
          <CardButton key="reconnect" slotName="reconnect" variant="quiet" onPress={() => client.reconnect()}>
            {messages.tryNow}
          </CardButton>
        ) : null,
      ]
  }
  if (interaction?.problem?.code === 'shown_differs') return [messages.shownDiffers, 'problem']
  const { problem } = interaction ?? {}
  // Without a field the message is the tool's own sentence, for the person who answered.
  if (problem?.code === 'invalid_input' && Object.keys(problem.fieldErrors ?? {}).length === 0)
    return [visible(problem.message), 'problem']
  if (problem) return [messages.notAccepted, 'problem']
  return [interaction?.deferred && messages.deferred]
}

function noteOfAction(name: string, status: CardAction['status'], messages: Messages): Note {
  if (status === 'sending') return [messages.submitting]
  if (status === 'refused') return [say(messages.refused, { answer: name }), 'problem']
  return [say(messages.unsent, { answer: name }), 'problem', <Unsent key="unsent" />]
}

function SendAgain() {
  const { retry, messages } = useCard()
  return (
    <CardButton slotName="retry" variant="secondary" onPress={retry}>
      {messages.sendAgain}
    </CardButton>
  )
}

/** Shows the options for an answer or action that was not sent. */
function Unsent() {
  const { change, action, messages } = useCard()
  return (
    <span className="hp-status-actions">
      <SendAgain />
      <CardButton slotName="change" variant="quiet" onPress={change}>
        {action?.name === 'extend' ? messages.hide : messages.changeAnswer}
      </CardButton>
    </span>
  )
}

const nothing = () => () => {}

/**
 * Returns whether there is a begun answer that could be lost. Without a provider this is unknown, and the card does not
 * claim it.
 */
function useBegun(): boolean {
  const { drafts, interaction } = useCard()
  const begun = () => !!interaction && !!(interaction.draft || drafts?.get(interaction.interactionId))
  return useSyncExternalStore(drafts?.subscribe ?? nothing, begun, () => false)
}
