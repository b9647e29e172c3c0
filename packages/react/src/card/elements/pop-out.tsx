import { useEffect, useRef } from 'react'
import { CardButton } from './button.tsx'
import { useCard } from './card-context.ts'
import { Icon } from './icon.tsx'
import type { PopOutViewProps } from './pop-out-view.tsx'

/** The larger view is the heaviest part and rarely needed, so it is loaded when a user opens it. */
const load = () => import('./pop-out-view.tsx')

/** Opens the larger view. Only a person opens it; nothing pops up by itself. */
export function CardPopOutTrigger() {
  const { open, PopOutView, openPopOut, id, messages } = useCard()
  if (!open || PopOutView) return null
  // If the code cannot be loaded, the card stays in its place.
  const prepare = () => load().catch(() => null)
  return (
    <CardButton
      id={id('pop-out')}
      slotName="pop-out"
      variant="quiet"
      aria-haspopup="dialog"
      title={messages.popOut}
      onPointerEnter={prepare}
      onFocus={prepare}
      onPress={() => prepare().then((loaded) => loaded && openPopOut(loaded.PopOutView))}
    >
      <Icon name="expand" />
    </CardButton>
  )
}

/** The body of a card: in its place, or in the larger view while that is open. Both share one draft. */
export function CardPopOut(props: Omit<PopOutViewProps, 'card' | 'Button'>) {
  const card = useCard()
  const { PopOutView, id, messages } = card
  const trigger = id('pop-out')
  const wasOpen = useRef(false)
  const isOpen = PopOutView !== null
  useEffect(() => {
    // When the larger view closes without an answer, focus returns to the button that opened it, which is rendered
    // again.
    if (wasOpen.current && !isOpen) document.getElementById(trigger)?.focus({ preventScroll: true })
    wasOpen.current = isOpen
  }, [isOpen, trigger])
  if (!PopOutView) return props.children
  return (
    <>
      <div className="hp-popped-out" data-slot="popped-out">
        {messages.poppedOut}
      </div>
      <PopOutView {...props} card={card} Button={CardButton} />
    </>
  )
}
