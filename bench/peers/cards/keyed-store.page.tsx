import { useSyncExternalStore } from 'react'
import { createRoot } from 'react-dom/client'
import { type Card, cards, face, idOf, mounted, offer, taken, useWatched } from './card.tsx'

/** The least that rows which hear of themselves can cost: a Map that is written to, and one listener a row. */
const kept = new Map<string, Card>()
const listeners = new Map<string, () => void>()

function Row({ id }: { id: string }) {
  const card = useSyncExternalStore(
    (listener) => {
      listeners.set(id, listener)
      return () => listeners.delete(id)
    },
    () => kept.get(id),
  )
  useWatched(card?.status)
  return card ? face(card) : null
}

offer({
  async mount(count) {
    for (const card of cards(count)) kept.set(card.id, card)
    createRoot(document.body.appendChild(document.createElement('main'))).render(
      [...kept.keys()].map((id) => <Row key={id} id={id} />),
    )
    await mounted(count)
  },
  change: (n) =>
    taken(() => {
      kept.set(idOf(n), { ...kept.get(idOf(n))!, status: 'answered' })
      listeners.get(idOf(n))?.()
    }),
})
