import type { Interaction } from '@holdpoint/core'
import { useCallback } from 'react'
import { questionIn } from '../base/question-in.ts'
import { useNoticing } from '../hooks/use-noticing.ts'

/** Questions that wait for an answer, for a button that leads to the next one. */
export interface Waiting {
  /** The number of questions; 0 until their names are loaded, so that the text names a question before it counts. */
  count: number
  /** Names the only question, or says how many there are: "3 questions are waiting". Empty without questions. */
  text: string
  /** Scrolls to the next card after the one that has focus, and focuses its question. */
  jumpToNext: () => void
}

/** Describes the given questions, in the language of the provider. */
export function useWaiting(questions: readonly Interaction[]): Waiting {
  const { waiting, isKnown } = useNoticing()
  const jumpToNext = useCallback(() => {
    const cards = questions.flatMap((one) => cardOf(one.interactionId) ?? [])
    const at = cards.findIndex((card) => card.contains(document.activeElement))
    const next = cards[(at + 1) % cards.length]
    if (!next) return
    next.scrollIntoView({ block: 'center' })
    questionIn(next)?.focus({ preventScroll: true })
  }, [questions])
  return { count: isKnown ? questions.length : 0, text: isKnown ? waiting(questions) : '', jumpToNext }
}

/** Returns the card of a question, if the page has it. */
export const cardOf = (id: string): HTMLElement | null =>
  document.querySelector(`[data-slot="card"][data-interaction-id="${CSS.escape(id)}"]`)
