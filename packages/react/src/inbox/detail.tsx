import { isOpen } from '@holdpoint/core'
import { type ReactNode, type RefObject, useEffect, useRef } from 'react'
import { isFocusNowhere } from '../base/question-in.ts'
import { useIsomorphicLayoutEffect } from '../base/use-latest.ts'
import { InteractionView, type InteractionViewProps } from '../interaction-view/interaction-view.tsx'
import { HoldpointContext } from '../settings/context.ts'
import { usePageWords } from '../settings/use-page-words.ts'
import { useSettings } from '../settings/use-settings.ts'
import { HeldAnswer } from './held-answer.tsx'
import { Missing } from './missing.tsx'
import type { Item, Row } from './rows/rows.ts'
import { useSettingsOf } from './rows/use-rows.ts'
import type { HeldAnswers } from './use-held-answers.ts'

/** The card of the selected question, with a link to its chat. */
export function Detail({
  row,
  pane,
  hrefOf,
  headingLevel,
  onNext,
  onStopped,
  held,
}: {
  row: Row
  /** The element that contains it. */
  pane: RefObject<HTMLElement | null>
  hrefOf: ((item: Item) => string) | undefined
  headingLevel: InteractionViewProps['headingLevel']
  /** Omitted if no other question waits. */
  onNext: (() => void) | undefined
  /** Called after the run of the question was stopped. */
  onStopped: (() => void) | undefined
  /** Undefined if answers are sent at once. */
  held: HeldAnswers | undefined
}): ReactNode {
  const { messages, announcer } = useSettings()
  const words = usePageWords()
  const settings = useSettingsOf(row)
  const waiting = held?.find(row.key)
  const { isMissing } = row
  const wasHeld = useRef('')
  useIsomorphicLayoutEffect(() => {
    // The list or the focused heading names the question. It runs before the card announces anything.
    announcer?.read(row.id, isOpen(row.interaction))
  }, [announcer, row.key])
  useEffect(() => {
    // A settled question is selected to see what was asked and answered.
    const record = pane.current?.querySelector<HTMLDetailsElement>('[data-slot="settled"]')
    if (record) record.open = true
  }, [row.key, pane])
  useEffect(() => {
    // The held answer was undone or sent, or the end of the question was read, so the focused element was removed.
    if (wasHeld.current === row.key && !waiting && !isMissing && isFocusNowhere()) focusQuestion(pane)
    wasHeld.current = waiting || isMissing ? row.key : ''
  }, [row.key, waiting, isMissing, pane])
  return (
    <HoldpointContext.Provider value={settings}>
      {waiting ? (
        <HeldAnswer key={`held ${row.key}`} held={waiting} answers={held!} />
      ) : isMissing ? (
        <Missing key={`missing ${row.key}`} row={row} />
      ) : (
        <InteractionView
          key={row.key}
          interaction={row.interaction}
          headingLevel={headingLevel}
          onCancelRun={async () => {
            await row.stop()
            onStopped?.()
          }}
          {...(held && row.interaction.kind !== 'connect' && { onRespond: (answer) => held.hold(row, answer) })}
        />
      )}
      <div className="hp-inbox-after">
        {(row.isSettled || waiting) && onNext ? (
          <button type="button" className="hp-button" data-slot="inbox-next" onClick={onNext}>
            {words.nextQuestion}
          </button>
        ) : null}
        {hrefOf ? (
          <a className="hp-inbox-link" href={hrefOf(row.item)}>
            {messages.inboxOpen}
          </a>
        ) : null}
      </div>
    </HoldpointContext.Provider>
  )
}

/** Moves focus to the question that is shown, and its beginning into view, when the person opens it from the list. */
export function focusQuestion(pane: RefObject<HTMLElement | null>): void {
  const find = (selector: string) => pane.current?.querySelector<HTMLElement>(selector)
  const question = find('[data-slot="prompt"]') ?? find('[data-slot="outcome"]') ?? pane.current
  question?.focus({ preventScroll: true })
  question?.scrollIntoView({ block: 'nearest' })
}
