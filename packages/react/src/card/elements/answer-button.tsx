import type { Answer } from '@holdpoint/core'
import type { ButtonVariant, SlotName } from '../../base/slots.ts'
import { visible } from '../../wording/escape.ts'
import { CardButton } from './button.tsx'
import { useCard } from './card-context.ts'
import type { PartProps } from './part.tsx'

interface Props extends PartProps {
  slotName: SlotName
  variant: ButtonVariant
  /** The key of the application's own label, if it has one. */
  label?: 'deny' | 'submit' | 'decline' | 'cancel'
  /** Our label. */
  text: string
  /** The answer to send. A form that is submitted answers by itself. */
  answer?: Answer
  type?: 'submit'
}

/** A button that sends one answer, without a delay. It is disabled while the question accepts no answer. */
export function AnswerButton({ label, text, answer, ...props }: Props) {
  const { open, view, respond, request } = useCard()
  if (!open) return null
  return (
    <CardButton blocked={!view.canAnswer} onPress={() => answer && respond(answer)} {...props}>
      {props.children ?? <bdi>{visible((label && request?.labels?.[label]) ?? text)}</bdi>}
    </CardButton>
  )
}
