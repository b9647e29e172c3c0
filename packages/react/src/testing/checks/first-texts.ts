/** Parts of a card that a person reads as one block. */
const BLOCKS = [
  ...['title', 'byline', 'prompt', 'about', 'readable', 'diff', 'fields', 'list', 'facts', 'outcome', 'kept-draft'],
  ...['time-left', 'error-summary', 'reason', 'actions'],
]
/** Blocks that are pressed or opened, not read. */
const CONTROLS = ['actions', 'reason']

export interface FirstText {
  readonly part: string
  readonly text: string
}

/**
 * The blocks of a card in the order in which eyes find them: the question first, which is largest; then text of the
 * card's own size before small text, from top to bottom; controls last.
 */
export function firstTexts(card: HTMLElement, count: number): FirstText[] {
  const own = Number.parseFloat(getComputedStyle(card).fontSize)
  const blocks = [...card.querySelectorAll<HTMLElement>('[data-slot]')].filter(
    (block) => BLOCKS.includes(block.dataset.slot!) && block.textContent?.trim() && block.checkVisibility(),
  )
  // biome-ignore lint/performance/useDomNodeTextContent: parts of a line are apart as they are drawn, which textContent does not know
  const drawn = (one: HTMLElement) => one.innerText.replace(/\s+/g, ' ').trim()
  const weigh = (block: HTMLElement) => {
    const texts = [...block.querySelectorAll<HTMLElement>('bdi, p, span, li, summary, td, label, input')].filter(
      (one) => one.children.length === 0 && !one.closest('dt'),
    )
    const styles = (texts.length > 0 ? texts : [block]).map((one) => getComputedStyle(one))
    const size = Math.max(...styles.map(({ fontSize }) => Number.parseFloat(fontSize)))
    const heading = block.getAttribute('role') === 'heading' ? 1 : 0
    const items = [...block.querySelectorAll<HTMLElement>('li')]
    return {
      part: block.dataset.slot!,
      text: (items.length > 0 ? items : [block]).map(drawn).join(' '),
      rank: [
        CONTROLS.includes(block.dataset.slot!) ? 0 : 1,
        size >= own ? 1 : 0,
        heading,
        -block.getBoundingClientRect().top,
      ],
    }
  }
  return blocks
    .map(weigh)
    .sort((a, b) => b.rank.map((value, at) => value - a.rank[at]!).find((difference) => difference !== 0) ?? 0)
    .slice(0, count)
    .map(({ part, text }) => ({ part, text }))
}
