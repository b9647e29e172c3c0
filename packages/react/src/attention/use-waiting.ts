import type { Interaction } from '@holdpoint/core'
import { say, spokenEnglish } from '@holdpoint/core/internal'
import { useCallback } from 'react'
import { questionIn } from '../base/question-in.ts'
import { useSettings } from '../settings/context.ts'
import { gistOf } from '../wording/question-text.ts'

/** Questions that wait for an answer, for a button that leads to the next one. */
export interface Waiting {
  /** The number of questions. */
  count: number
  /** Names the only question, or says how many there are: "3 questions are waiting". Empty without questions. */
  text: string
  /** Scrolls to the next card after the one that has focus, and focuses its question. */
  jumpToNext: () => void
}

/** Describes the given questions, in the language of the provider. */
export function useWaiting(questions: readonly Interaction[]): Waiting {
  const settings = useSettings()
  const messages = settings.messages ?? spokenEnglish
  const jumpToNext = useCallback(() => {
    const cards = questions.flatMap((one) => cardOf(one.interactionId) ?? [])
    const at = cards.findIndex((card) => card.contains(document.activeElement))
    const next = cards[(at + 1) % cards.length]
    if (!next) return
    next.scrollIntoView({ block: 'center' })
    questionIn(next)?.focus({ preventScroll: true })
  }, [questions])
  const count = questions.length
  const [only] = questions
  const text =
    count === 1 && only
      ? say(messages.announceOne, { text: gistOf(only, messages, settings) })
      : count > 1
        ? say(messages.announceSeveral, { count })
        : ''
  return { count, text, jumpToNext }
}

/** Returns the card of a question, if the page has it. */
export const cardOf = (id: string): HTMLElement | null =>
  document.querySelector(`[data-slot="card"][data-interaction-id="${CSS.escape(id)}"]`)
