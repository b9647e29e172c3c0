import { type ReactNode, useEffect, useRef } from 'react'
import { isFocusNowhere } from '../base/question-in.ts'
import { usePageWords } from '../settings/use-page-words.ts'
import type { Row } from './rows/rows.ts'

/** Replaces the card of a question that has ended elsewhere, until it is known how: it has no buttons. */
export function Missing({ row }: { row: Row }): ReactNode {
  const words = usePageWords()
  const place = useRef<HTMLElement>(null)
  useEffect(() => {
    // The focused button was removed with the card.
    if (isFocusNowhere()) place.current?.focus()
  }, [])
  return (
    <section ref={place} className="hp-inbox-held" data-slot="inbox-missing" aria-label={row.text} tabIndex={-1}>
      <p className="hp-inbox-held-question">
        <bdi>{row.text}</bdi>
      </p>
      <p>{words.noLongerWaiting}</p>
    </section>
  )
}
