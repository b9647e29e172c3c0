import { say, spokenEnglish } from '@holdpoint/core/internal'
import { useEffect } from 'react'
import { watchQuestions } from '../announce/watch-questions.ts'
import { markTitle } from '../base/page-title.ts'
import { useLatest } from '../base/use-latest.ts'
import { usePendingInteractions } from '../hooks/use-interactions.ts'
import { useSettings } from '../settings/context.ts'
import { useWaiting, type Waiting } from './use-waiting.ts'

export interface AttentionOptions {
  /** Puts the number of open questions before the title of the page. @default true */
  title?: boolean
  /** Puts the number on the icon of an installed app. @default true */
  badge?: boolean
  /** Announces to screen readers when a question is asked and when it ends, also if its card is not on the page. @default true */
  announce?: boolean
}

/**
 * Draws attention to open questions: in the title of the page, on the badge of an installed app, and to screen readers.
 * Returns them for a button that leads to the next one. `useOutOfView` counts those alone that the user cannot see.
 *
 * @example
 * const { count, text, jumpToNext } = useAttention()
 * return count > 0 && <button onClick={jumpToNext}>{text}</button>
 */
export function useAttention({ title = true, badge = true, announce = true }: AttentionOptions = {}): Waiting {
  const { messages: given, locale, announcer, client, tools, integrations, clock, device } = useSettings()
  const messages = given ?? spokenEnglish
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
  return useWaiting(pending)
}
