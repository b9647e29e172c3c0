import { say, spokenEnglish } from '@holdpoint/core/internal'
import { useCallback, useEffect } from 'react'
import { watchQuestions } from '../announce/watch-questions.ts'
import { markTitle } from '../base/page-title.ts'
import { questionIn } from '../base/question-in.ts'
import { useLatest } from '../base/use-latest.ts'
import { useSettings } from '../settings/context.ts'
import { gistOf } from '../wording/question-text.ts'
import { usePendingInteractions } from './use-interactions.ts'

export interface AttentionOptions {
  /** Put the number of waiting questions before the page's title. Default true. */
  title?: boolean
  /** Put it on the icon of an installed app. Default true. */
  badge?: boolean
  /** Say aloud what begins and ends to wait, also where no card of ours is on the page. Default true. */
  announce?: boolean
}

export interface Attention {
  count: number
  /** "3 questions are waiting"; empty when none is. */
  text: string
  /** Moves to the next card that waits, after the one that has focus; the person asked for it. */
  jumpToNext: () => void
}

/**
 * Makes waiting noticeable: in the title, on the badge, aloud, and by a way to the next question.
 *
 * @example
 * const { count, text, jumpToNext } = useAttention()
 * return count > 0 && <button onClick={jumpToNext}>{text}</button>
 */
export function useAttention({ title = true, badge = true, announce = true }: AttentionOptions = {}): Attention {
  const settings = useSettings()
  const { messages: given, announcer, client, tools, integrations } = settings
  const messages = given ?? spokenEnglish
  const { locale, clock, device } = settings
  const latest = useLatest(() => ({ messages, locale, now: clock.now(), device, tools, integrations }))
  const pending = usePendingInteractions()
  const count = pending.length
  const ids = pending.map(({ interactionId }) => interactionId).join(' ')
  useEffect(() => {
    if (announce && client && announcer) return watchQuestions(client, announcer, () => latest()(), clock)
  }, [announce, client, announcer, latest, clock])
  useEffect(() => {
    if (title && ids) return markTitle(document, ids.split(' '), (count) => say(messages.titleCount, { count }))
  }, [title, ids, messages])
  useEffect(() => {
    if (!badge || !('setAppBadge' in navigator)) return
    // A badge that is refused is no error: most pages are not installed.
    const done = count > 0 ? navigator.setAppBadge(count) : navigator.clearAppBadge()
    done.catch(() => {})
  }, [badge, count])
  const jumpToNext = useCallback(() => {
    const cards = pending.flatMap((one) => cardOf(one.interactionId) ?? [])
    const at = cards.findIndex((card) => card.contains(document.activeElement))
    const next = cards[(at + 1) % cards.length]
    if (!next) return
    next.scrollIntoView({ block: 'center' })
    questionIn(next)?.focus({ preventScroll: true })
  }, [pending])
  const [only] = pending
  const text =
    count === 1 && only
      ? say(messages.announceOne, { text: gistOf(only, messages, settings) })
      : count > 1
        ? say(messages.announceSeveral, { count })
        : ''
  return { count, text, jumpToNext }
}

const cardOf = (id: string) =>
  document.querySelector<HTMLElement>(`[data-slot="card"][data-interaction-id="${CSS.escape(id)}"]`)
