import type { ReactNode } from 'react'
import { visible } from '../shared/escape.ts'
import { questionOf } from '../shared/request.ts'
import { isOver } from '../shared/use-view.ts'
import { CardButton } from './button.tsx'
import { useCard } from './card-context.ts'
import { Part, type PartProps } from './part.tsx'
import { useSettings } from './use-settings.ts'

/** What stands in the way, or what happened to the last try; nothing when there is nothing to say. */
export function CardStatus(props: PartProps) {
  const { view, id } = useCard()
  const note = useNote()
  if (!note || isOver(view.state)) return null
  return (
    <Part slotName="status" id={id('status')} data-tone={note.tone} {...props}>
      {props.children ?? (
        <>
          {note.text ? <bdi>{note.text}</bdi> : null}
          {note.action}
        </>
      )}
    </Part>
  )
}

interface Note {
  tone: 'quiet' | 'problem'
  text: string
  action?: ReactNode
}

function useNote(): Note | null {
  const { interaction, view, retry } = useCard()
  const { messages, client } = useSettings()
  if (!interaction) return null
  const error = questionOf(interaction)?.error
  const { problem } = interaction
  switch (view.state) {
    case 'submitting':
      return { tone: 'quiet', text: messages.submitting }
    case 'not-sent':
      return {
        tone: 'problem',
        text: messages.notSent,
        action: (
          <CardButton slotName="retry" variant="secondary" onPress={retry}>
            {messages.sendAgain}
          </CardButton>
        ),
      }
    case 'read-only':
      return {
        tone: 'quiet',
        text: messages.readOnly,
        action: client ? (
          <CardButton slotName="enable" variant="quiet" onPress={() => client.setInteractionMode(true)}>
            {messages.turnOn}
          </CardButton>
        ) : null,
      }
    case 'may-not-answer':
      return { tone: 'quiet', text: messages.notAllowed }
    case 'unknown-kind':
      return { tone: 'quiet', text: messages.unknownText }
    case 'disconnected':
      return { tone: 'quiet', text: messages.disconnected }
    default:
      if (problem) return { tone: 'problem', text: messages.notAccepted }
      if (error) return { tone: 'problem', text: visible(error) }
      return interaction.deferred ? { tone: 'quiet', text: messages.deferred } : null
  }
}
