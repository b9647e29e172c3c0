import { cardOf } from './use-waiting.ts'

/** Steps at which the browser reports how much of a card is in view. */
const STEPS = [0, 0.25, 0.5, 0.75, 1]

/**
 * Calls `onChange` with the questions whose cards are out of view, whenever they change. A card is in view if half of it
 * is, or if it fills half of the window. Returns a function that stops watching.
 */
export function watchView(ids: readonly string[], onChange: (outOfView: readonly string[]) => void): () => void {
  const inView = new Map<Element, boolean>()
  let cards: (HTMLElement | null)[] = []
  let last: string | undefined

  const report = () => {
    // The browser has not measured a new card yet: it reports within a frame.
    if (cards.some((card) => card && !inView.has(card))) return
    const outOfView = ids.filter((_, index) => {
      const card = cards[index]
      return !card || !inView.get(card)
    })
    if (outOfView.join(' ') === last) return
    last = outOfView.join(' ')
    onChange(outOfView)
  }
  const measure = new IntersectionObserver(
    (entries) => {
      for (const { target, intersectionRatio, intersectionRect, rootBounds } of entries) {
        const fills = intersectionRect.height >= (rootBounds?.height ?? innerHeight) / 2
        inView.set(target, intersectionRatio >= 0.5 || fills)
      }
      report()
    },
    { threshold: STEPS },
  )
  const find = () => {
    const found = ids.map(cardOf)
    for (const [index, card] of found.entries()) {
      const before = cards[index]
      if (card === before) continue
      if (before) measure.unobserve(before)
      if (card) measure.observe(card)
    }
    cards = found
    report()
  }
  // Cards appear after their questions, and move when the app renders them elsewhere.
  const changes = new MutationObserver(find)
  changes.observe(document.body, { childList: true, subtree: true })
  find()
  return () => {
    changes.disconnect()
    measure.disconnect()
  }
}
