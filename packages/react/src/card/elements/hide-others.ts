/**
 * Hides everything but one element from assistive technology, for readers that do not know `aria-modal`. Live regions
 * stay heard: what becomes of a question must be said. Returns the way back.
 */
export function hideOthers(shown: Element): () => void {
  const hidden: Element[] = []
  const hide = (element: Element) => {
    if (element === shown || element.matches('[aria-live], [aria-hidden], script')) return
    if (element.contains(shown) || element.querySelector('[aria-live]')) {
      for (const child of element.children) hide(child)
    } else {
      element.setAttribute('aria-hidden', 'true')
      hidden.push(element)
    }
  }
  hide(document.body)
  return () => {
    for (const element of hidden) element.removeAttribute('aria-hidden')
  }
}
