/** Momentum scrolling continues after the person's input. Its steps follow each other within this time. */
const CHAIN_MS = 300
const INPUTS = ['wheel', 'touchmove', 'keydown'] as const

/**
 * How far the person has scrolled an element since: its movement by their own scrolling is no surprise to them. A page
 * that scrolls by itself, as a chat that keeps to its end, moves a button as much as inserted content does.
 */
export function followScroll(element: HTMLElement, now: () => number): { offset(): Point; end(): void } {
  const offset = { x: 0, y: 0 }
  let known = scrolled(element)
  let last = Number.NEGATIVE_INFINITY
  const isPersonal = () => now() - last <= CHAIN_MS
  const sync = () => {
    const next = scrolled(element)
    if (isPersonal()) {
      offset.x += next.x - known.x
      offset.y += next.y - known.y
    }
    known = next
  }
  // Browsers scroll before they emit the wheel event, so movement since the last measurement counts as the person's.
  const onInput = () => {
    last = now()
    sync()
  }
  const onScroll = () => {
    sync()
    if (isPersonal()) last = now()
  }
  const options = { capture: true, passive: true } as const
  for (const type of INPUTS) document.addEventListener(type, onInput, options)
  document.addEventListener('scroll', onScroll, options)
  return {
    offset() {
      sync()
      return offset
    },
    end() {
      for (const type of INPUTS) document.removeEventListener(type, onInput, options)
      document.removeEventListener('scroll', onScroll, options)
    },
  }
}

interface Point {
  x: number
  y: number
}

/** The scroll positions of everything around an element, added up. The window's is its root element's. */
function scrolled(element: HTMLElement): Point {
  const sum = { x: 0, y: 0 }
  for (let around: Element | null = element.parentElement; around; around = around.parentElement) {
    sum.x += around.scrollLeft
    sum.y += around.scrollTop
  }
  return sum
}
