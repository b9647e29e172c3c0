/** Where focus goes when a user moves to a question: the question itself, else the first control of its card. */
export function questionIn(place: Element | undefined): HTMLElement | null {
  const find = (selector: string) => place?.querySelector<HTMLElement>(selector) ?? null
  return (
    find('[data-slot="prompt"]') ?? find('[data-slot="outcome"]') ?? find('input, select, textarea, button, summary')
  )
}
