import { say } from '@holdpoint/core/internal'
import { useEffect, useRef } from 'react'
import { CardButton } from '../card/elements/button.tsx'
import { useCard } from '../card/elements/card-context.ts'
import { Part, type PartProps } from '../card/elements/part.tsx'
import { ReadOnlyValues } from '../field/read-only-values.tsx'
import { useForm } from './form-context.ts'

/**
 * Shows the number of the step, and a button to the previous one. After a press of "Next" focus is here, before the step's
 * fields: the button stays where it was, so the next press would miss them.
 */
export function InputFormStep(props: PartProps) {
  const { messages, view, open } = useCard()
  const { steps, goTo, moves } = useForm()
  const place = useRef<HTMLElement>(null)
  const handled = useRef(moves)
  useEffect(() => {
    if (handled.current === moves) return
    handled.current = moves
    const card = place.current?.closest('[data-slot="pop-out-view"], [data-slot="card"]')
    if (card?.contains(document.activeElement) || document.activeElement === document.body) place.current?.focus()
  }, [moves])
  if (!open || steps.total === 1) return null
  return (
    <Part ref={place} slotName="step" tabIndex={-1} {...props}>
      <progress value={steps.index + 1} max={steps.total} aria-hidden="true" />
      <span>{say(messages.step, { index: steps.index + 1, total: steps.total })}</span>
      {steps.index > 0 ? (
        <CardButton
          slotName="previous-step"
          variant="quiet"
          blocked={!view.canAnswer}
          onPress={() => goTo(steps.index - 1)}
        >
          {messages.previousStep}
        </CardButton>
      ) : null}
    </Part>
  )
}

/** Shows the answers of the previous steps at the last step, because all of them are sent. */
export function InputFormAnswers(props: PartProps) {
  const { messages, open } = useCard()
  const { steps, values } = useForm()
  if (!open || !steps.isLast || steps.before.length === 0) return null
  return (
    <Part slotName="answers" {...props}>
      <p className="hp-about">{messages.yourAnswers}</p>
      <ReadOnlyValues fields={steps.before} values={values} />
    </Part>
  )
}
