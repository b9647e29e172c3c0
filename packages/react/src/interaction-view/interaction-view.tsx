import { type ReactNode, Suspense, useEffect, useState } from 'react'
import { onDemand, useOnDemand } from '../base/on-demand.ts'
import { useHydrated } from '../card/behavior/use-hydrated.ts'
import { CardPlaceholder } from './card-placeholder.tsx'
import type { InteractionViewProps } from './cards.ts'

export type { InteractionViewProps } from './cards.ts'

/** A page is there before its first question, so cards are not in the first bundle. */
export const allCards = /* @__PURE__ */ onDemand(() => import('./cards.ts'), 'soon')

/**
 * Shows a question with the card of its kind. The code of the cards is loaded after the first paint. A question that was
 * asked again renders nothing, because the next prompt replaces it.
 *
 * @example {interactions.map((one) => <InteractionView key={one.interactionId} interaction={one} />)}
 */
export function InteractionView(props: InteractionViewProps): ReactNode {
  const hydrated = useHydrated()
  const [isHydrating, setIsHydrating] = useState(!hydrated)
  const view = (
    <Suspense fallback={<CardPlaceholder interaction={props.interaction} />}>
      <Card {...props} {...(isHydrating && { onHydrated: () => setIsHydrating(false) })} />
    </Suspense>
  )
  const [ofServer] = useState(view)
  if (props.interaction?.replacedBy) return null
  // React drops the HTML of a server if its boundary receives an update before the code of the card is there.
  return isHydrating ? ofServer : view
}

function Card({ onHydrated, ...props }: InteractionViewProps & { onHydrated?: () => void }): ReactNode {
  const { interaction, onUpload, rows, onConnect, onFinished, onClientToken, redirect, returnTo, ...card } = props
  const { part, failed, load } = useCards()
  useEffect(() => onHydrated?.(), [onHydrated])
  if (!part) return <CardPlaceholder interaction={interaction} {...(failed && { retry: load })} />
  const kind = interaction?.kind ?? 'approval'
  const KindOfCard = part.cards[kind]
  const own =
    kind === 'input'
      ? { onUpload }
      : kind === 'connect'
        ? { rows, onConnect, onFinished, onClientToken, redirect, returnTo }
        : {}
  return <KindOfCard {...card} {...own} interaction={interaction} />
}

/**
 * Returns the cards once they are loaded. A server waits for them, and so does the first render on the HTML of a server: the
 * card of that HTML stays on the page meanwhile.
 */
function useCards(): ReturnType<typeof useOnDemand<typeof import('./cards.ts')>> {
  const hydrated = useHydrated()
  const loaded = useOnDemand(allCards)
  if (hydrated) return loaded
  const { part, failed } = allCards.state
  if (!part && !failed) throw allCards.load()
  return { ...loaded, ...(part && { part }) }
}
