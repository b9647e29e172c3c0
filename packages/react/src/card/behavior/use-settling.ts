import { useEffect, useMemo, useState } from 'react'
import { SETTLE_MS } from '../../base/settle.ts'
import { useSettings } from '../../settings/context.ts'
import { type CardView, isOver } from '../elements/use-view.ts'

/**
 * Shows an answer that its tool may still refuse as being sent, for a moment. A card that is asked again keeps its
 * controls and its focus that way, instead of folding to a line and opening again.
 */
export function useSettling(interactionId: string | undefined, view: CardView): CardView {
  const { clock } = useSettings()
  const { state } = view
  const [seen, setSeen] = useState({ interactionId, state, held: false })
  if (seen.interactionId !== interactionId || seen.state !== state) {
    // A server inside of the page may answer before the card has rendered the sending state.
    const held = seen.interactionId === interactionId && (seen.held || !isOver(seen.state))
    setSeen({ interactionId, state, held })
  }
  const held = seen.held && view.settling
  useEffect(() => {
    if (!held) return
    const timer = clock.setTimeout(() => setSeen((before) => ({ ...before, held: false })), SETTLE_MS)
    return () => clock.clearTimeout(timer)
  }, [held, clock])
  return useMemo(() => (held ? { ...view, state: 'submitting', canAnswer: false } : view), [held, view])
}
