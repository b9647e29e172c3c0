import { isOpen } from '@holdpoint/core'
import { say } from '@holdpoint/core/internal'
import { deadlineText } from '@holdpoint/core/internal/words'
import { type CSSProperties, type Ref, useMemo } from 'react'
import { usePageWords } from '../settings/use-page-words.ts'
import { useSettings } from '../settings/use-settings.ts'
import { answerText } from '../wording/answer-text.ts'
import { outcomeOf } from '../wording/outcome-text.ts'
import { questionOf, riskText } from '../wording/question-text.ts'
import { ageText } from './age.ts'
import type { Row } from './rows/rows.ts'
import type { Held } from './use-held-answers.ts'

/**
 * One question in two lines: the question, and below it the requester, the chat, the age, the risk and the deadline.
 */
export function ListRow({
  row,
  id,
  now,
  held,
  isSelected,
  place,
  of,
  onPress,
  measureRef,
  ...measured
}: {
  row: Row
  id: string
  now: number | null
  held: Held | undefined
  isSelected: boolean
  place: number
  of: number
  onPress: () => void
  measureRef: Ref<HTMLDivElement>
  'data-index': number
  style: CSSProperties
}) {
  const { messages, locale } = useSettings()
  const words = usePageWords()
  const { interaction, risk, isSettled } = row
  const left = now === null ? null : row.dueAt - now
  const deadline = deadlineText(questionOf(interaction), left, messages, locale)
  const age = useMemo(() => (now === null ? '' : ageText(row.askedAt, now, locale)), [row.askedAt, now, locale])
  const outcome = held
    ? say(words.heldAnswer, { answer: answerText(interaction, held.answer, messages) })
    : !isSettled
      ? undefined
      : isOpen(interaction)
        ? words.noLongerWaiting
        : outcomeOf(interaction, interaction.answeredHere ? 'answered-here' : endOf(row), messages, {
            userId: row.item.you?.userId,
          })
  const facts = [row.agent, row.chat, age].filter(Boolean)
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the list has the focus, and names the selected row
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list takes the keys
    <div
      ref={measureRef}
      {...measured}
      className="hp-inbox-row"
      data-slot="inbox-row"
      data-settled={isSettled || undefined}
      data-risk={risk}
      role="option"
      id={id}
      aria-selected={isSelected}
      aria-setsize={of}
      aria-posinset={place + 1}
      onClick={onPress}
    >
      <bdi className="hp-inbox-text">{row.text}</bdi>
      <span className="hp-inbox-facts">
        {facts.map((fact, index) => (
          <span key={index} className="hp-inbox-fact">
            <bdi>{fact}</bdi>
          </span>
        ))}
        {outcome ? <span className="hp-inbox-outcome">{outcome}</span> : null}
        {!outcome && risk ? (
          <span className="hp-risk" data-risk={risk}>
            {riskText(risk, messages)}
          </span>
        ) : null}
        {!outcome && deadline ? <span className="hp-inbox-due">{deadline}</span> : null}
      </span>
    </div>
  )
}

const endOf = ({ interaction: { status } }: Row) =>
  status === 'expired' || status === 'cancelled' || status === 'superseded' || status === 'failed'
    ? status
    : ('answered-elsewhere' as const)
