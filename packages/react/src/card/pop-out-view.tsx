import { DismissableLayer } from '@radix-ui/react-dismissable-layer'
import { FocusScope } from '@radix-ui/react-focus-scope'
import { type ReactNode, useEffect, useRef } from 'react'
import { createPortal } from 'react-dom'
import { CardButton } from './button.tsx'
import { useCard } from './card-context.ts'
import { hideOthers } from './hide-others.ts'
import { classes } from './part.tsx'
import { useSettings } from './use-settings.ts'

export interface PopOutViewProps {
  /** `alertdialog` interrupts: for approvals. */
  role: 'dialog' | 'alertdialog'
  /** Which part gets focus when the view opens. */
  focus?: string
  children: ReactNode
}

/**
 * A card's body as a modal view. Leaving it, by whatever way, answers nothing. Made of the parts of Radix's Dialog that
 * keep layers and focus in order: it is open as long as it is mounted and has no trigger, so the rest would do nothing.
 */
export function PopOutView({ role, focus, children }: PopOutViewProps) {
  const { view, id, describedBy, setPoppedOut, portalContainer, classNames } = useCard()
  const { messages, dir } = useSettings()
  const content = useRef<HTMLDivElement>(null)
  const close = () => setPoppedOut(false)
  useKeyboardInset(content)
  // For readers that do not know aria-modal. Live regions stay: what becomes of the question must be heard.
  useEffect(() => (content.current ? hideOthers(content.current) : undefined), [])
  return createPortal(
    <>
      <div className="hp-backdrop" data-slot="backdrop" />
      <FocusScope
        asChild
        loop
        trapped
        onMountAutoFocus={(event) => {
          event.preventDefault()
          const target = focus ? content.current?.querySelector<HTMLElement>(focus) : null
          ;(target ?? content.current)?.focus()
        }}
        // Where focus goes is the card's business: to its line when it is over, back to the button when not.
        onUnmountAutoFocus={(event) => event.preventDefault()}
      >
        <DismissableLayer
          ref={content}
          role={role}
          aria-modal="true"
          aria-labelledby={id('title')}
          aria-describedby={describedBy}
          className={classes('hp-card hp-pop-out-view', classNames['pop-out-view'])}
          data-slot="pop-out-view"
          data-state={view.state}
          dir={dir}
          disableOutsidePointerEvents
          deferPointerDownOutside
          onDismiss={close}
          // Focus that is set from outside comes back by itself; the view stays.
          onFocusOutside={(event) => event.preventDefault()}
          onEscapeKeyDown={(event) => {
            // This Escape belongs to an input method; the view stays.
            if (event.isComposing || event.keyCode === 229) event.preventDefault()
          }}
        >
          <CardButton slotName="pop-in" variant="quiet" onPress={close}>
            {messages.popIn}
          </CardButton>
          {children}
        </DismissableLayer>
      </FocusScope>
    </>,
    portalContainer ?? document.body,
  )
}

/** Keeps the actions of a bottom sheet above an on-screen keyboard, which covers the page without resizing it. */
function useKeyboardInset(content: { current: HTMLElement | null }): void {
  useEffect(() => {
    const viewport = window.visualViewport
    if (!viewport) return
    const fit = () => {
      const covered = Math.max(0, window.innerHeight - viewport.height - viewport.offsetTop)
      content.current?.style.setProperty('--hp-keyboard', `${Math.round(covered)}px`)
    }
    fit()
    viewport.addEventListener('resize', fit)
    viewport.addEventListener('scroll', fit)
    return () => {
      viewport.removeEventListener('resize', fit)
      viewport.removeEventListener('scroll', fit)
    }
  }, [content])
}
