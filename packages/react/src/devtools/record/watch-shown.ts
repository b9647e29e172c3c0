/** Calls back with the id of each card that comes into view. Returns a function that stops it. */
export function watchShown(root: Document, shown: (interactionId: string) => void): () => void {
  const Observer = root.defaultView?.IntersectionObserver
  if (!Observer || !root.body) return () => {}
  const seen = new WeakSet<Element>()
  const visible = new Observer((entries) => {
    for (const { isIntersecting, target } of entries) {
      const id = target.getAttribute('data-interaction-id')
      if (isIntersecting && id) shown(id)
    }
  })
  const observeNewCards = () => {
    for (const card of root.querySelectorAll('[data-slot="card"][data-interaction-id]')) {
      if (seen.has(card) || card.closest('.hp-devtools')) continue
      seen.add(card)
      visible.observe(card)
    }
  }
  const added = new MutationObserver(observeNewCards)
  added.observe(root.body, { childList: true, subtree: true })
  observeNewCards()
  return () => {
    added.disconnect()
    visible.disconnect()
  }
}
