import { type ElementType, forwardRef, type HTMLAttributes, type ReactNode } from 'react'
import type { SlotName } from '../../base/slots.ts'
import { useCard } from './card-context.ts'
import { Slot } from './slot.tsx'

/** The props that all parts of a card share, besides the attributes of their element. */
export interface PartProps extends HTMLAttributes<HTMLElement> {
  /** Passes the part's attributes and behavior to its only child instead of rendering an element. */
  asChild?: boolean
  children?: ReactNode
}

export interface ElementPartProps extends PartProps {
  as?: 'div' | 'span' | 'p' | 'ul' | 'li' | 'dl' | 'section'
  slotName: SlotName
}

/**
 * One element of a card. `data-slot` names it, `data-state` is the state of the card, and its classes are those of the
 * theme and of the host.
 */
export const Part = /* @__PURE__ */ forwardRef<HTMLElement, ElementPartProps>(function Part(
  { as = 'div', slotName, asChild, className, ...props },
  ref,
) {
  const { view, classNames } = useCard()
  const Element: ElementType = asChild ? Slot : as
  return (
    <Element
      ref={ref}
      data-slot={slotName}
      data-state={view.state}
      {...props}
      className={classes(`hp-${slotName}`, classNames[slotName], className)}
    />
  )
})

export const classes = (...names: (string | undefined)[]) => names.filter(Boolean).join(' ')
