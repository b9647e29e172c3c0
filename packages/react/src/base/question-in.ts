/** Returns whether no element of the page has focus, because the focused one was removed. */
export const isFocusNowhere = () => !document.activeElement || document.activeElement === document.body

/** Whether focus is in the card of a question, in its place or in the larger view. */
export function isAtQuestion(id: string): boolean {
  const card = document.activeElement?.closest<HTMLElement>('[data-interaction-id], [data-slot="pop-out-view"]')
  return card !== null && card !== undefined && (card.dataset.interactionId ?? id) === id
}

/** Where focus goes when a user moves to a question: the question itself, else the first control of its card. */
export function questionIn(place: Element | undefined): HTMLElement | null {
  const find = (selector: string) => place?.querySelector<HTMLElement>(selector) ?? null
  return (
    find('[data-slot="prompt"]') ?? find('[data-slot="outcome"]') ?? find('input, select, textarea, button, summary')
  )
}
