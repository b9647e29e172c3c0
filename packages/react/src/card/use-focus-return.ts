import { type FocusEvent, useCallback, useEffect, useRef } from 'react'

/**
 * When a card shrinks to one line, the control that had focus is gone, and focus with it. It goes back to where the
 * person came from; if that is gone too, to the card's line. If focus was elsewhere, nothing happens at all.
 */
export function useFocusReturn(over: boolean): {
  ref: (card: HTMLElement | null) => void
  onFocus: (event: FocusEvent) => void
  onBlur: (event: FocusEvent) => void
} {
  const card = useRef<HTMLElement | null>(null)
  const inside = useRef<Element | null>(null)
  const cameFrom = useRef<Element | null>(null)
  const ref = useCallback((element: HTMLElement | null) => {
    card.current = element
  }, [])
  const onFocus = useCallback(({ target, relatedTarget, currentTarget }: FocusEvent) => {
    const from = relatedTarget as Element | null
    if (!currentTarget.contains(from) && !from?.closest('[data-slot="pop-out-view"]')) cameFrom.current = from
    inside.current = target
  }, [])
  const onBlur = useCallback(({ target, relatedTarget, currentTarget }: FocusEvent) => {
    // Another window took the focus: the control still has this page's.
    const windowLeft = document.activeElement === target
    if (!windowLeft && !currentTarget.contains(relatedTarget as Element | null)) inside.current = null
  }, [])
  useEffect(() => {
    const last = inside.current
    if (!over || !last) return
    inside.current = null
    const lost = !last.isConnected && (!document.activeElement || document.activeElement === document.body)
    if (!lost) return
    const back = cameFrom.current
    if (back instanceof HTMLElement && back.isConnected) back.focus({ preventScroll: true })
    if (document.activeElement !== back || !back) {
      card.current?.querySelector<HTMLElement>('[data-slot="outcome"]')?.focus({ preventScroll: true })
    }
  }, [over])
  return { ref, onFocus, onBlur }
}
