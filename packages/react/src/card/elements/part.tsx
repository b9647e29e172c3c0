import { Slot } from 'radix-ui/slot'
import { type ElementType, forwardRef, type HTMLAttributes, type ReactNode } from 'react'
import type { SlotName } from '../../base/slots.ts'
import { useCard } from './card-context.ts'

/** The props that all parts of a card share, besides the attributes of their element. */
export interface PartProps extends HTMLAttributes<HTMLElement> {
  /** Give the part's attributes and behavior to the one child instead of an element of ours. */
  asChild?: boolean
  children?: ReactNode
}

export interface ElementPartProps extends PartProps {
  as?: 'div' | 'span' | 'p' | 'ul' | 'li' | 'dl' | 'section'
  slotName: SlotName
}

/** One element of a card: `data-slot` says which, `data-state` how the card is, classes come from ours and the host's. */
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
