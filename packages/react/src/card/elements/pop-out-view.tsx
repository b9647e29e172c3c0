import * as Dialog from 'radix-ui/dialog'
import { type ReactNode, type RefObject, useEffect, useRef } from 'react'
import type { CardButton } from './button.tsx'
import type { Card } from './card-context.ts'

export interface PopOutViewProps {
  /** `alertdialog` interrupts: for approvals. */
  role: 'dialog' | 'alertdialog'
  /** Which part gets focus when the view opens. */
  focus?: string
  children: ReactNode
  /** Passed, not imported: a module that the first bundle has as well would divide that bundle. */
  card: Card
  Button: typeof CardButton
}

/**
 * A card's body as a modal view. However the user leaves it, nothing is answered. The backdrop is a plain element: that
 * of Radix writes a style sheet into the page, which a strict `style-src` forbids.
 */
export function PopOutView({ role, focus, children, card, Button }: PopOutViewProps) {
  const { request, view, labelledBy, describedBy, closePopOut, portalContainer, classNames, messages, dir } = card
  const content = useRef<HTMLDivElement>(null)
  useKeyboardInset(content)
  useEffect(withoutGuards, [])
  return (
    <Dialog.Root open onOpenChange={closePopOut}>
      <Dialog.Portal container={portalContainer ?? document.body}>
        <div className="hp-backdrop" data-slot="backdrop" />
        <Dialog.Content
          ref={content}
          onOpenAutoFocus={(event) => {
            event.preventDefault()
            focusWithoutScrolling(content.current, focus)
          }}
          // The card moves the focus: to its line if the question has ended, otherwise back to the button.
          onCloseAutoFocus={(event) => event.preventDefault()}
          onEscapeKeyDown={(event) => {
            // Escape closes the view alone, and not also a dialog of the app around the card.
            event.stopPropagation()
            // The Escape of an input method only ends the composition.
            if (event.isComposing || event.keyCode === 229) event.preventDefault()
          }}
          role={role}
          aria-modal="true"
          aria-labelledby={labelledBy}
          aria-describedby={describedBy}
          className={`hp-card hp-pop-out-view ${classNames['pop-out-view'] ?? ''}`.trim()}
          data-slot="pop-out-view"
          data-state={view.state}
          data-risk={request?.risk}
          dir={dir}
        >
          <Button slotName="pop-in" variant="quiet" onPress={closePopOut}>
            {messages.popIn}
          </Button>
          {children}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

/**
 * Takes the focus guards of Radix out of the tab order: Radix hides them from screen readers, and what is hidden must not
 * get focus. The view needs none, because Tab goes from its end to its beginning.
 */
function withoutGuards() {
  const guards = [...document.querySelectorAll<HTMLElement>('[data-radix-focus-guard]')]
  const setAll = (tabIndex: number) => {
    for (const guard of guards) guard.tabIndex = tabIndex
  }
  setAll(-1)
  // A dialog of the app may share them.
  return () => setAll(0)
}

/** The view opens at its top: if the control is not in sight there, the question has focus instead. */
function focusWithoutScrolling(view: HTMLElement | null, control: string | undefined): void {
  const target = control ? view?.querySelector<HTMLElement>(control) : null
  const inSight = target && target.getBoundingClientRect().bottom <= view!.getBoundingClientRect().bottom
  const next = inSight ? target : view?.querySelector<HTMLElement>('[data-slot="prompt"]')
  ;(next ?? view)?.focus({ preventScroll: true })
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
