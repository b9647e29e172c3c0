import { say } from '@holdpoint/core/internal'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { isFocusNowhere } from '../base/question-in.ts'
import { usePageWords } from '../settings/use-page-words.ts'
import { useSettings } from '../settings/use-settings.ts'
import { answerText } from '../wording/answer-text.ts'
import { Text } from '../wording/text.tsx'
import type { Held, HeldAnswers } from './use-held-answers.ts'

/** Replaces a card whose answer is not sent yet: shows the answer, and buttons to undo it or to send it now. */
export function HeldAnswer({ held, answers }: { held: Held; answers: HeldAnswers }): ReactNode {
  const { messages, announcer } = useSettings()
  const words = usePageWords()
  const place = useRef<HTMLElement>(null)
  const { row, answer } = held
  const text = say(words.heldAnswer, { answer: answerText(row.interaction, answer, messages) })
  useEffect(() => {
    announcer?.announce(`${text} ${words.undoHint}`)
    // The pressed button was removed with its focus. The focus does not move to "Undo", because focus there pauses the
    // countdown.
    if (isFocusNowhere()) place.current?.focus()
  }, [announcer, text, words])
  const pause = (isPaused: boolean) => answers.pause(row.key, isPaused)
  return (
    <section ref={place} className="hp-inbox-held" data-slot="inbox-held" aria-label={row.text} tabIndex={-1}>
      <p className="hp-inbox-held-question">
        <bdi>{row.text}</bdi>
      </p>
      <p>
        <Text>{text}</Text>
      </p>
      <div className="hp-inbox-after">
        <button
          type="button"
          className="hp-button"
          data-slot="inbox-undo"
          onFocus={() => pause(true)}
          onBlur={() => pause(false)}
          onPointerEnter={() => pause(true)}
          onPointerLeave={() => pause(false)}
          onClick={() => answers.undo(row.key)}
        >
          {words.undo}
        </button>
        <button
          type="button"
          className="hp-button"
          data-variant="quiet"
          data-slot="inbox-send"
          onClick={() => answers.send(row.key)}
        >
          {words.sendNow}
        </button>
        {held.until === undefined ? null : <Countdown until={held.until} />}
      </div>
    </section>
  )
}

/** The seconds until the answer is sent, for the eye alone: spoken each second they would drown everything else. */
function Countdown({ until }: { until: number }) {
  const { clock, locale } = useSettings()
  const [now, setNow] = useState(clock.now)
  const left = Math.max(0, Math.ceil((until - now) / 1_000))
  useEffect(() => {
    const timer = clock.setTimeout(() => setNow(clock.now()), 1_000)
    return () => clock.clearTimeout(timer)
  }, [clock, now])
  const seconds = new Intl.NumberFormat(locale, { style: 'unit', unit: 'second', unitDisplay: 'narrow' })
  return (
    <span aria-hidden="true" className="hp-inbox-countdown" data-slot="inbox-countdown">
      {seconds.format(left)}
    </span>
  )
}
