import { Content, Portal, Root } from 'radix-ui/dialog'
import { type ReactNode, useEffect, useRef } from 'react'
import { CardButton } from './button.tsx'
import { useCard } from './card-context.ts'
import { classes } from './part.tsx'
import { useSettings } from './use-settings.ts'

export interface PopOutViewProps {
  /** `alertdialog` interrupts: for approvals. */
  role: 'dialog' | 'alertdialog'
  /** Which part gets focus when the view opens. */
  focus?: string
  children: ReactNode
}

/** A card's body as a modal view. Leaving it, by whatever way, answers nothing. */
export function PopOutView({ role, focus, children }: PopOutViewProps) {
  const { view, id, setPoppedOut, portalContainer, classNames } = useCard()
  const { messages, dir } = useSettings()
  const content = useRef<HTMLDivElement>(null)
  useKeyboardInset(content)
  return (
    <Root open onOpenChange={setPoppedOut}>
      <Portal container={portalContainer ?? undefined}>
        <div className="hp-backdrop" data-slot="backdrop" />
        <Content
          ref={content}
          role={role}
          aria-modal="true"
          aria-labelledby={id('title')}
          aria-describedby={id('prompt')}
          className={classes('hp-card hp-pop-out-view', classNames['pop-out-view'])}
          data-slot="pop-out-view"
          data-state={view.state}
          dir={dir}
          onOpenAutoFocus={(event) => {
            event.preventDefault()
            const target = focus ? content.current?.querySelector<HTMLElement>(focus) : null
            ;(target ?? content.current)?.focus()
          }}
          // Where focus goes is the card's business: to its line when it is over, back to the button when not.
          onCloseAutoFocus={(event) => event.preventDefault()}
          onEscapeKeyDown={(event) => {
            // This Escape belongs to an input method; the view stays.
            if (event.isComposing || event.keyCode === 229) event.preventDefault()
          }}
        >
          <CardButton slotName="pop-in" variant="quiet" onPress={() => setPoppedOut(false)}>
            {messages.popIn}
          </CardButton>
          {children}
        </Content>
      </Portal>
    </Root>
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
