import { type ElementType, forwardRef, type KeyboardEvent, type MouseEvent } from 'react'
import type { ButtonVariant, SlotName } from '../../base/slots.ts'
import { useCard } from './card-context.ts'
import { classes, type PartProps } from './part.tsx'
import { Slot } from './slot.tsx'

export interface CardButtonProps extends PartProps {
  slotName: SlotName
  variant: ButtonVariant
  /** The button is shown and announced as disabled, keeps focus, and ignores presses. */
  blocked?: boolean
  onPress: (event: MouseEvent<HTMLElement>) => void
  type?: 'button' | 'submit'
}

/**
 * A button that ignores accidental presses: while it is blocked, and the repeats of a held key. A blocked button stays
 * focusable, so that a change of state never loses the focus.
 */
export const CardButton = /* @__PURE__ */ forwardRef<HTMLButtonElement, CardButtonProps>(function CardButton(
  { slotName, variant, blocked = false, onPress, asChild, className, type = 'button', onClick, onKeyDown, ...props },
  ref,
) {
  const { view, classNames, slots, sending } = useCard()
  const isSending = sending === slotName
  const Element: ElementType = asChild ? Slot : (slots.Button ?? 'button')
  return (
    <Element
      ref={ref}
      type={type}
      {...(slots.Button && !asChild ? { variant } : {})}
      data-slot={slotName}
      data-state={view.state}
      data-variant={variant}
      aria-disabled={blocked || isSending || undefined}
      {...props}
      data-sending={isSending || undefined}
      className={classes('hp-button', `hp-${slotName}`, classNames.button, classNames[slotName], className)}
      onKeyDown={(event: KeyboardEvent<HTMLButtonElement>) => {
        onKeyDown?.(event)
        if (event.repeat && (event.key === 'Enter' || event.key === ' ')) event.preventDefault()
      }}
      onClick={(event: MouseEvent<HTMLButtonElement>) => {
        onClick?.(event)
        if (event.defaultPrevented) return
        if (blocked || isSending) event.preventDefault()
        else onPress(event)
      }}
    />
  )
})
