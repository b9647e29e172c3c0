import { createRoot } from 'react-dom/client'
import { create } from 'zustand'
import { type Card, cards, face, idOf, mounted, offer, taken, useWatched } from './card.tsx'

/** A store with a Map, replaced with every change, and a selector in each row: zustand's guides for collections. */
const useCards = create<{ cards: ReadonlyMap<string, Card> }>()(() => ({ cards: new Map() }))

function Row({ id }: { id: string }) {
  const card = useCards((state) => state.cards.get(id))
  useWatched(card?.status)
  return card ? face(card) : null
}

offer({
  async mount(count) {
    const all = cards(count)
    useCards.setState({ cards: new Map(all.map((card) => [card.id, card])) })
    createRoot(document.body.appendChild(document.createElement('main'))).render(
      all.map(({ id }) => <Row key={id} id={id} />),
    )
    await mounted(count)
  },
  change: (n) =>
    taken(() =>
      useCards.setState(({ cards }) => {
        const card = cards.get(idOf(n))
        return { cards: card ? new Map(cards).set(card.id, { ...card, status: 'answered' }) : cards }
      }),
    ),
})
