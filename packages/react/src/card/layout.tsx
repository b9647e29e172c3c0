import type { ReactNode } from 'react'
import { useCard } from './card-context.ts'
import { CardByline, CardTitle } from './heading.tsx'
import { Icon } from './icon.tsx'
import { Part, type PartProps } from './part.tsx'
import { CardPopOutTrigger } from './pop-out.tsx'
import { CardTimeLeft } from './time-left.tsx'

/** The top line: icon, what is asked, by whom; and how long, and the way to a larger view. */
export function CardHeader({
  icon,
  popOut = true,
  children,
}: {
  icon: string
  popOut?: boolean
  /** Beside the title. */
  children?: ReactNode
}) {
  if (useCard().over) return null
  return (
    <Part slotName="header">
      <Icon name={icon} />
      <div className="hp-heading">
        <div className="hp-title-line">
          <CardTitle />
          {children}
        </div>
        <CardByline />
        <CardTimeLeft />
      </div>
      {popOut ? <CardPopOutTrigger /> : null}
    </Part>
  )
}

/** What a card shows before its question has arrived. */
export function CardLoading() {
  if (useCard().view.state !== 'loading') return null
  return (
    <Part slotName="loading" aria-hidden="true">
      <span />
      <span />
    </Part>
  )
}

/** The row of buttons, deny before approve and as large. It stays in view while the rest scrolls. */
export function CardActions({ children, ...props }: PartProps) {
  if (!useCard().open) return null
  return (
    <Part slotName="actions" {...props}>
      {children}
    </Part>
  )
}
