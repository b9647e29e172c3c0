import { deadlineText, roundUp, SHOWN_BELOW_MS } from '@holdpoint/core/internal/words'
import { useEffect, useState } from 'react'
import { questionOf } from '../wording/question-text.ts'
import { CardButton } from './elements/button.tsx'
import { useCard } from './elements/card-context.ts'
import { Part, type PartProps } from './elements/part.tsx'

const SECOND = 1000
const MINUTE = 60 * SECOND
/** The remaining times that are announced, few enough not to disturb. */
const THRESHOLDS = [2 * MINUTE, 30 * SECOND]
/** The longest delay of a timer. */
const LONGEST = 2 ** 31 - 1

/**
 * Shows the remaining time as text. It counts in readable steps, is announced at two thresholds, and offers more time
 * if the server allows it.
 */
export function CardTimeLeft(props: PartProps) {
  const { interaction, over, view, extend, messages, locale, announcer } = useCard()
  const left = useTimeLeft()
  const open = interaction && !interaction.deferred && !over
  const threshold = left === null ? undefined : THRESHOLDS.findLast((each) => left <= each && left > 0)
  const request = interaction && questionOf(interaction)
  const text = deadlineText(request, left, messages, locale) ?? messages.timeUp
  useEffect(() => {
    if (open && threshold !== undefined && view.canAnswer) announcer?.announce(text)
  }, [threshold, announcer])
  if (!open || left === null || left >= SHOWN_BELOW_MS) return null
  // The server defers the question in a moment. Its time is not up.
  if (left === 0 && request?.answerableLater) return null
  return (
    <Part
      as="span"
      slotName="time-left"
      data-urgent={(left <= THRESHOLDS[0]! && !request?.answerableLater) || undefined}
      {...props}
    >
      <span className="hp-time">{props.children ?? text}</span>
      {view.canExtend ? (
        <CardButton slotName="extend" variant="quiet" onPress={extend}>
          {messages.moreTime}
        </CardButton>
      ) : null}
    </Part>
  )
}

/** Returns null while the time is unknown: on a server, and during the first render. */
function useTimeLeft(): number | null {
  const { interaction, over, view, clock } = useCard()
  const [now, setNow] = useState<number | null>(null)
  const expiresAt = interaction?.expiresAt ?? Number.NaN
  const due = expiresAt - view.clockOffset
  const timed = Number.isFinite(due) && !over
  useEffect(() => {
    if (!timed) return
    let timer: unknown
    const tick = () => {
      const time = clock.now()
      setNow(time)
      const left = due - time
      if (left > 0) timer = clock.setTimeout(tick, Math.min(roundUp(left).staysMs + 1, LONGEST))
    }
    tick()
    return () => clock.clearTimeout(timer)
  }, [timed, due, clock])
  return now === null || !timed ? null : Math.max(0, due - now)
}
