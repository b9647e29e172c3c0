import { useEffect, useMemo, useState } from 'react'
import { usePendingInteractions } from '../hooks/use-interactions.ts'
import { useWaiting, type Waiting } from './use-waiting.ts'
import { watchView } from './watch-view.ts'

/**
 * Returns the open questions whose cards the user cannot see: scrolled away, or not on the page. Use it for a button that
 * leads to the next one and disappears while the user reads the question.
 *
 * @example
 * const { count, text, jumpToNext } = useInteractionsOutOfView()
 * return count > 0 && <button onClick={jumpToNext}>{text}</button>
 */
export function useInteractionsOutOfView(): Waiting {
  const pending = usePendingInteractions()
  const ids = pending.map(({ interactionId }) => interactionId).join(' ')
  const [outOfView, setOutOfView] = useState<readonly string[]>([])
  useEffect(() => {
    if (ids) return watchView(ids.split(' '), setOutOfView)
    setOutOfView([])
  }, [ids])
  const questions = useMemo(
    () => pending.filter(({ interactionId }) => outOfView.includes(interactionId)),
    [pending, outOfView],
  )
  return useWaiting(questions)
}
