import { type ReactNode, useSyncExternalStore } from 'react'
import { SafeText } from '../shared/text.tsx'
import { CardButton } from './button.tsx'
import { useCard } from './card-context.ts'
import { Part, type PartProps } from './part.tsx'

/**
 * What was wrong with the answer before; and what stands in the way now, or happened to the last try. That one comes and
 * goes while somebody may be about to press a button: inside of `Actions`, after the buttons, it moves none of them.
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
              <bdi>{text}</bdi>
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
  const { interaction, view, retry, messages, client } = useCard()
  const begun = useBegun()
  switch (view.state) {
    case 'submitting':
      return [messages.submitting]
    case 'not-sent':
      return [
        messages.notSent,
        'problem',
        <CardButton key="retry" slotName="retry" variant="secondary" onPress={retry}>
          {messages.sendAgain}
        </CardButton>,
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
      return [begun ? messages.disconnectedKept : messages.disconnected]
  }
  if (interaction?.problem) return [messages.notAccepted, 'problem']
  return [interaction?.deferred && messages.deferred]
}

const nothing = () => () => {}

/** Whether there is something of an answer that could be lost. Without a provider nobody knows, and nothing is claimed. */
function useBegun(): boolean {
  const { drafts, interaction } = useCard()
  const begun = () => !!interaction && !!(interaction.draft || drafts?.get(interaction.interactionId))
  return useSyncExternalStore(drafts?.subscribe ?? nothing, begun, () => false)
}
