import { useEffect, useRef } from 'react'
import { CardButton } from './button.tsx'
import { useCard } from './card-context.ts'
import { Icon } from './icon.tsx'
import type { PopOutViewProps } from './pop-out-view.tsx'

/** The heaviest part, and seldom needed: it is loaded when a user opens it. */
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

/** The body of a card: in its place, or, while the person wants it so, in a larger view. The draft is one and the same. */
export function CardPopOut(props: Omit<PopOutViewProps, 'card' | 'Button'>) {
  const card = useCard()
  const { PopOutView, id, messages } = card
  const trigger = id('pop-out')
  const wasOpen = useRef(false)
  const isOpen = PopOutView !== null
  useEffect(() => {
    // Back from the larger view, still unanswered: to the button that opened it, which was not there meanwhile.
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
