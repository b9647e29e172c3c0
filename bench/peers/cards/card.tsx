import { useLayoutEffect } from 'react'

/** What every row shows, whoever keeps it. */
export interface Card {
  id: string
  prompt: string
  status: string
}

export interface Taken {
  /** From the event to the committed page. */
  ms: number
  /** Rows that rendered, and whatever stands above them. */
  rendered: number
}

/** What the benchmark drives in the page. */
export interface CardsPage {
  mount(count: number): Promise<void>
  /** Answers one card. */
  change(n: number): Promise<Taken>
}

export const idOf = (n: number) => `q${n}`
export const cards = (count: number): Card[] =>
  Array.from({ length: count }, (_, n) => ({ id: idOf(n), prompt: `Delete file ${n}?`, status: 'pending' }))

/** The same markup for all; not a component, so that it is not one more to render. */
export const face = ({ id, prompt, status }: Card) => (
  <article data-id={id} data-status={status}>
    <h3>{prompt}</h3>
    <p>{status === 'pending' ? 'Waits for you' : 'You approved this'}</p>
    <button type="button" disabled={status !== 'pending'}>
      Approve
    </button>
  </article>
)

/** Counts renders, and hears of commits. */
export const watch = {
  rendered: 0,
  committed: () => {},
}

/** In every component that is counted. */
export function useWatched(status = ''): void {
  watch.rendered++
  useLayoutEffect(() => {
    if (status !== '' && status !== 'pending') watch.committed()
  }, [status])
}

export async function taken(change: () => void): Promise<Taken> {
  watch.rendered = 0
  let ended = 0
  const committed = new Promise<void>((resolve) => {
    watch.committed = () => {
      ended ||= performance.now()
      resolve()
    }
  })
  const began = performance.now()
  change()
  await committed
  // Whoever renders later is counted too.
  await new Promise((resolve) => setTimeout(resolve, 30))
  return { ms: ended - began, rendered: watch.rendered }
}

/** Until all rows are there. */
export async function mounted(count: number): Promise<void> {
  while (document.querySelectorAll('article').length < count) await new Promise((resolve) => setTimeout(resolve, 20))
  await new Promise((resolve) => setTimeout(resolve, 200))
}

export function offer(page: CardsPage): void {
  Object.assign(window, { cards: page })
}
