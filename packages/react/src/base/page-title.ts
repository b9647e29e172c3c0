/** One mark before the title of the page, however many parts of the page ask for it. */
export interface PageTitle {
  /** Puts the mark before the title until the last one who asked has called the function that is returned. */
  mark(text: string): () => void
}

export function createPageTitle(page: () => { title: string }): PageTitle {
  let users = 0
  let shown = ''
  const write = (text: string) => {
    const here = page()
    // The page may have a new title by now; only our mark is ours.
    const own = shown && here.title.startsWith(`${shown} `) ? here.title.slice(shown.length + 1) : here.title
    shown = text
    const next = text ? `${text} ${own}` : own
    if (next !== here.title) here.title = next
  }
  return {
    mark(text) {
      users++
      write(text)
      let mine = true
      return () => {
        if (!mine) return
        mine = false
        if (--users === 0) write('')
      }
    },
  }
}
