import { memo, useState } from 'react'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { type Card, cards, face, mounted, offer, taken, useWatched } from './card.tsx'

/** What people write without a store: an array in the state of the list, and rows in `memo`. */
const Row = memo(function Row({ card }: { card: Card }) {
  useWatched(card.status)
  return face(card)
})

let setCards: (next: (was: readonly Card[]) => readonly Card[]) => void = () => {}

function List({ initial }: { initial: readonly Card[] }) {
  const [list, set] = useState(initial)
  setCards = set
  useWatched()
  return list.map((card) => <Row key={card.id} card={card} />)
}

offer({
  async mount(count) {
    const root = createRoot(document.body.appendChild(document.createElement('main')))
    root.render(<List initial={cards(count)} />)
    await mounted(count)
  },
  // Committed at once, as a click would be, instead of when React's scheduler comes to it.
  change: (n) => taken(() => flushSync(() => setCards((was) => was.with(n, { ...was[n]!, status: 'answered' })))),
})
