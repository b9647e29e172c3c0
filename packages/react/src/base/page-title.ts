interface Marks {
  /** The questions for which each part of the page asked for the mark. */
  readonly all: Set<readonly string[]>
  shown: string
}

/** The marks are on the page itself: its providers, and copies of this library, share its title but no memory. */
const MARKS: unique symbol = /* @__PURE__ */ Symbol.for('holdpoint.title')

interface Page {
  title: string
  [MARKS]?: Marks
}

/**
 * Puts one mark before the title of the page, however many parts of the page ask for one: `textOf` words the number of
 * different questions. Returns a function that takes these questions out of it.
 */
export function markTitle(page: Page, ids: readonly string[], textOf: (count: number) => string): () => void {
  page[MARKS] ??= { all: new Set(), shown: '' }
  const marks = page[MARKS]
  const write = () => {
    const count = new Set([...marks.all].flat()).size
    const { shown } = marks
    // The page may have a new title by now; only our mark is ours.
    const own = shown && page.title.startsWith(`${shown} `) ? page.title.slice(shown.length + 1) : page.title
    marks.shown = count > 0 ? textOf(count) : ''
    const next = marks.shown ? `${marks.shown} ${own}` : own
    if (next !== page.title) page.title = next
  }
  const mine = [...ids]
  marks.all.add(mine)
  write()
  return () => {
    if (marks.all.delete(mine)) write()
  }
}
