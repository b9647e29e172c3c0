import { FocusScope } from '@radix-ui/react-focus-scope'
import { type ReactNode, type RefObject, useEffect, useRef } from 'react'
import { createPortal } from 'react-dom'
import { CardButton } from './button.tsx'
import { useCard } from './card-context.ts'
import { hideOthers } from './hide-others.ts'
import { classes } from './part.tsx'

export interface PopOutViewProps {
  /** `alertdialog` interrupts: for approvals. */
  role: 'dialog' | 'alertdialog'
  /** Which part gets focus when the view opens. */
  focus?: string
  children: ReactNode
}

/**
 * A card's body as a modal view. Leaving it, by whatever way, answers nothing. Radix keeps focus inside, and knows of the
 * scopes of the application's own dialogs; the rest of its Dialog would do nothing: the view is open as long as it is
 * mounted, has no trigger, and its backdrop covers the page.
 */
export function PopOutView({ role, focus, children }: PopOutViewProps) {
  const { request, view, labelledBy, describedBy, closePopOut, portalContainer, classNames, messages, dir } = useCard()
  const content = useRef<HTMLDivElement>(null)
  useEscape(content, closePopOut)
  useKeyboardInset(content)
  // For readers that do not know aria-modal. Live regions stay: what becomes of the question must be heard.
  useEffect(() => (content.current ? hideOthers(content.current) : undefined), [])
  return createPortal(
    <>
      {/* biome-ignore lint/a11y: Escape, and the button in the view, do the same */}
      <div className="hp-backdrop" data-slot="backdrop" onClick={closePopOut} />
      <FocusScope
        ref={content}
        loop
        trapped
        onMountAutoFocus={(event) => {
          event.preventDefault()
          focusWithoutScrolling(content.current, focus)
        }}
        // Where focus goes is the card's business: to its line when it is over, back to the button when not.
        onUnmountAutoFocus={(event) => event.preventDefault()}
        role={role}
        aria-modal="true"
        aria-labelledby={labelledBy}
        aria-describedby={describedBy}
        className={classes('hp-card hp-pop-out-view', classNames['pop-out-view'])}
        data-slot="pop-out-view"
        data-state={view.state}
        data-risk={request?.risk}
        dir={dir}
        // A modal dialog of the application's around the card takes pointers from the rest of the page.
        style={{ pointerEvents: 'auto' }}
      >
        <CardButton slotName="pop-in" variant="quiet" onPress={closePopOut}>
          {messages.popIn}
        </CardButton>
        {children}
      </FocusScope>
    </>,
    portalContainer ?? document.body,
  )
}

/** The view opens at its top: if the control is not in sight there, the question has focus instead. */
function focusWithoutScrolling(view: HTMLElement | null, control: string | undefined): void {
  const target = control ? view?.querySelector<HTMLElement>(control) : null
  const inSight = target && target.getBoundingClientRect().bottom <= view!.getBoundingClientRect().bottom
  const next = inSight ? target : view?.querySelector<HTMLElement>('[data-slot="prompt"]')
  ;(next ?? view)?.focus({ preventScroll: true })
}

/**
 * Escape belongs to the view, and not to a dialog of the application's around the card as well: it is heard before any
 * of those. It is left to what has focus of its own beyond the view, such as a list that a control in it has opened.
 */
function useEscape(content: RefObject<HTMLElement | null>, close: () => void): void {
  useEffect(() => {
    const hear = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      if (event.target !== document.body && !event.composedPath().includes(content.current!)) return
      event.stopPropagation()
      // That of an input method only ends what was being composed.
      if (event.isComposing || event.keyCode === 229) return
      event.preventDefault()
      close()
    }
    window.addEventListener('keydown', hear, true)
    return () => window.removeEventListener('keydown', hear, true)
  }, [content, close])
}

/** Keeps the actions of a bottom sheet above an on-screen keyboard, which covers the page without resizing it. */
function useKeyboardInset(content: RefObject<HTMLElement | null>): void {
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
