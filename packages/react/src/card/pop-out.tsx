import { type ReactNode, useEffect, useRef, useState } from 'react'
import { isOver } from '../shared/use-view.ts'
import { CardButton } from './button.tsx'
import { useCard } from './card-context.ts'
import { Icon } from './icon.tsx'
import type { PopOutViewProps } from './pop-out-view.tsx'
import { useSettings } from './use-settings.ts'

/** Seldom needed, and the heaviest part: it is loaded when somebody reaches for it. */
const load = () => import('./pop-out-view.tsx')

/** Opens the larger view. Only a person opens it; nothing pops up by itself. */
export function CardPopOutTrigger() {
  const { view, poppedOut, setPoppedOut, interaction, id } = useCard()
  const { messages } = useSettings()
  if (!interaction || isOver(view.state) || poppedOut) return null
  const prepare = () => void load().catch(() => {})
  return (
    <CardButton
      id={id('pop-out')}
      slotName="pop-out"
      variant="quiet"
      aria-haspopup="dialog"
      aria-label={messages.popOut}
      title={messages.popOut}
      onPointerEnter={prepare}
      onFocus={prepare}
      onPress={() => setPoppedOut(true)}
    >
      <Icon name="expand" />
    </CardButton>
  )
}

/** The body of a card: in its place, or, while the person wants it so, in a larger view. The draft is one and the same. */
export function CardPopOut(props: Omit<PopOutViewProps, 'children'> & { children: ReactNode }) {
  const { view, id, poppedOut, setPoppedOut } = useCard()
  const { messages } = useSettings()
  const wanted = poppedOut && !isOver(view.state)
  const View = usePopOutView(wanted, () => setPoppedOut(false))
  const open = wanted && View !== null
  const trigger = id('pop-out')
  const wasOpen = useRef(false)
  useEffect(() => {
    // Back from the larger view, still unanswered: to the button that opened it, which was not there meanwhile.
    if (wasOpen.current && !open) document.getElementById(trigger)?.focus({ preventScroll: true })
    wasOpen.current = open
  }, [open, trigger])
  // Until the view is there the card stays as it is, and if it cannot be had, for good.
  if (!open) return props.children
  return (
    <>
      <div className="hp-popped-out" data-slot="popped-out">
        {messages.poppedOut}
      </div>
      <View {...props} />
    </>
  )
}

type View = typeof import('./pop-out-view.tsx').PopOutView

function usePopOutView(wanted: boolean, failed: () => void): View | null {
  const [view, setView] = useState<{ View: View } | null>(null)
  const giveUp = useRef(failed)
  useEffect(() => {
    giveUp.current = failed
  })
  useEffect(() => {
    if (!wanted || view) return
    let current = true
    load().then(
      ({ PopOutView }) => {
        if (current) setView({ View: PopOutView })
      },
      () => {
        if (current) giveUp.current()
      },
    )
    return () => {
      current = false
    }
  }, [wanted, view])
  return view?.View ?? null
}
