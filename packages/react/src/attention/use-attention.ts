import { say } from '@holdpoint/core/internal'
import { useEffect } from 'react'
import { markTitle } from '../base/page-title.ts'
import { useLatest } from '../base/use-latest.ts'
import { usePendingInteractions } from '../hooks/use-interactions.ts'
import { useNoticing } from '../hooks/use-noticing.ts'
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
 * Returns them for a button that leads to the next one. `useInteractionsOutOfView` counts those alone that the user cannot see.
 *
 * @example
 * const { count, text, jumpToNext } = useAttention()
 * return count > 0 && <button onClick={jumpToNext}>{text}</button>
 */
export function useAttention({ title = true, badge = true, announce = true }: AttentionOptions = {}): Waiting {
  const { locale, announcer, client, tools, integrations, clock, device } = useSettings()
  const { part, failed, counted, messages } = useNoticing()
  const latest = useLatest(() => messages && { messages, locale, now: clock.now(), device, tools, integrations })
  const pending = usePendingInteractions()
  const count = pending.length
  const ids = pending.map(({ interactionId }) => interactionId).join(' ')
  useEffect(() => {
    if (announce && client && announcer && part) return part.watchQuestions(client, announcer, () => latest()()!, clock)
  }, [announce, client, announcer, part, latest, clock])
  useEffect(() => {
    if (title && ids) return markTitle(document, ids.split(' '), (count) => say(counted.titleCount, { count }))
  }, [title, ids, counted])
  useEffect(() => {
    if (!badge || !('setAppBadge' in navigator)) return
    // A badge that is refused is no error: most pages are not installed.
    const done = count > 0 ? navigator.setAppBadge(count) : navigator.clearAppBadge()
    done.catch(() => {})
  }, [badge, count])
  const waiting = useWaiting(pending)
  const latestText = useLatest(waiting.text)
  useEffect(() => {
    if (announce && failed && ids) announcer?.announce(latestText())
  }, [announce, failed, ids, announcer, latestText])
  return waiting
}
