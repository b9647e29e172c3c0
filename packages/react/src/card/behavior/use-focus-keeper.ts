import { type FocusEvent, useCallback, useEffect, useRef } from 'react'
import { isFocusNowhere, questionIn } from '../../base/question-in.ts'
import type { SlotName } from '../../base/slots.ts'

const CONTROLS = 'a[href], button, input:not([type="hidden"]), select, textarea, summary'

/**
 * Keeps focus in the card when the control that had it goes away. While the question is open, focus moves to the next
 * control of the same row, then of the card. When the card shrinks to one line, focus goes back to where the user came
 * from; if that is gone too, to the card's line. When the card is removed, focus also goes back, or to the next question.
 * If focus was elsewhere, nothing happens at all.
 */
export function useFocusKeeper(over: boolean): {
  ref: (card: HTMLElement | null) => void
  onFocus: (event: FocusEvent) => void
  onBlur: (event: FocusEvent) => void
  /** Moves focus to a part of the card once the next render is on the page. */
  focusNext: (slot: SlotName) => void
} {
  const card = useRef<HTMLElement | null>(null)
  const inside = useRef<Element | null>(null)
  /** The places around the focused control, nearest first: they stay when it goes. */
  const around = useRef<readonly Element[]>([])
  const cameFrom = useRef<Element | null>(null)
  const wanted = useRef<SlotName | null>(null)
  const ref = useCallback((element: HTMLElement | null) => {
    card.current = element
  }, [])
  const onFocus = useCallback(({ target, relatedTarget, currentTarget }: FocusEvent) => {
    const from = relatedTarget as Element | null
    if (!currentTarget.contains(from) && !from?.closest('[data-slot="pop-out-view"]')) cameFrom.current = from
    inside.current = target
    around.current = placesAround(target)
  }, [])
  const onBlur = useCallback(({ target, relatedTarget, currentTarget }: FocusEvent) => {
    // Another window has the focus, and the control keeps the focus of this page.
    const windowLeft = document.activeElement === target
    if (!windowLeft && !currentTarget.contains(relatedTarget as Element | null)) inside.current = null
  }, [])
  const focusNext = useCallback((slot: SlotName) => {
    wanted.current = slot
  }, [])
  useEffect(() => {
    const last = inside.current
    const slot = wanted.current
    wanted.current = null
    const lost = last && !last.isConnected && isFocusNowhere()
    if (over) {
      if (!last) return
      inside.current = null
      if (!lost) return
      const back = cameFrom.current
      if (back instanceof HTMLElement && back.isConnected) back.focus({ preventScroll: true })
      if (document.activeElement !== back || !back) focusPart(card.current, 'outcome')
    } else if (slot) {
      const place = around.current.find((one) => one.isConnected && one.querySelector(`[data-slot="${slot}"]`))
      focusPart(place ?? card.current, slot)
    } else if (lost) {
      nextControl(around.current)?.focus({ preventScroll: true })
    }
  })
  // A list of open questions drops an answered card as a whole.
  useEffect(
    () => () => {
      const last = inside.current
      const back = cameFrom.current
      if (last) queueMicrotask(() => refocus(last, back))
    },
    [],
  )
  return { ref, onFocus, onBlur, focusNext }
}

/**
 * Moves focus from a removed control back, or to the first question on the page. It runs after the effects of the render
 * that removed the control, because the component in its place may have taken the focus.
 */
function refocus(last: Element, back: Element | null): void {
  if (last.isConnected || !isFocusNowhere()) return
  const next =
    back instanceof HTMLElement && back.isConnected
      ? back
      : questionIn(document.querySelector<HTMLElement>('[data-slot="card"]') ?? undefined)
  next?.focus({ preventScroll: true })
}

function focusPart(place: Element | null, slot: SlotName): void {
  place?.querySelector<HTMLElement>(`[data-slot="${slot}"]`)?.focus({ preventScroll: true })
}

/** The row with those after it, the actions, the card or its larger view. */
function placesAround(target: Element): Element[] {
  const row = target.closest('[data-slot="row"]')
  const rows = [row]
  for (let next = row?.nextElementSibling; next; next = next.nextElementSibling) rows.push(next)
  const actions = target.closest('[data-slot="actions"]')
  const whole = target.closest('[data-slot="pop-out-view"], [data-slot="card"]')
  const places = [...rows, actions, whole?.querySelector('[data-slot="actions"]'), whole]
  return places.filter((place) => place instanceof Element)
}

function nextControl(places: readonly Element[]): HTMLElement | undefined {
  for (const place of places) {
    const found = place.isConnected ? place.querySelector<HTMLElement>(CONTROLS) : null
    if (found) return found
  }
  return undefined
}
