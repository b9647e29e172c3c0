import type { ReactNode } from 'react'
import { useCard } from '../../card/elements/card-context.ts'

export type Decision = 'accept' | 'reject'

interface Props {
  id: string
  decision: Decision
  /** False if the question was not approved: its changes have no decisions. */
  decided: boolean
  onDecide: ((id: string, decision: Decision) => void) | undefined
  /** Which change it is. */
  children: ReactNode
}

/**
 * Two radio buttons with one tab stop: arrow keys change the choice, and it is announced. The record of an answer shows
 * text instead.
 */
export function ChangeChoice({ id: changeId, decision, decided, onDecide, children }: Props) {
  const { id, over, messages } = useCard()
  const name = id(`hunk-${changeId}`)
  const rejected = decision === 'reject'
  if (over) {
    return (
      <div className="hp-diff-choice" data-slot="diff-choice">
        <span className="hp-hunk-title">{children}</span>
        {decided ? (
          <span className="hp-hunk-decision">{rejected ? messages.changeRejected : messages.changeAccepted}</span>
        ) : null}
      </div>
    )
  }
  const option = (value: Decision, text: string) => (
    <label className="hp-choice" data-checked={decision === value || undefined}>
      <input
        type="radio"
        name={name}
        checked={decision === value}
        disabled={!onDecide}
        onChange={() => onDecide?.(changeId, value)}
      />
      {text}
    </label>
  )
  return (
    <fieldset className="hp-diff-choice" data-slot="diff-choice">
      <legend className="hp-hunk-title">{children}</legend>
      {option('accept', messages.acceptChange)}
      {option('reject', messages.rejectChange)}
      {rejected ? <span className="hp-hunk-decision">{messages.changeRejected}</span> : null}
    </fieldset>
  )
}
