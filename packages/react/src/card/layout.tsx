import { isTitled } from '../wording/question-text.ts'
import { useCard } from './elements/card-context.ts'
import { Icon } from './elements/icon.tsx'
import { Part, type PartProps } from './elements/part.tsx'
import { CardPopOutTrigger } from './elements/pop-out.tsx'
import { CardAbout, CardByline, CardPrompt, CardTitle } from './heading.tsx'
import { CardTimeLeft } from './time-left.tsx'

/**
 * The top of a card: icon, question, the button for the larger view, and one quiet line with kind, requester, tool and
 * remaining time.
 */
export function CardHeader({ icon, popOut = true }: { icon: string; popOut?: boolean }) {
  const { interaction, over, tool, request } = useCard()
  if (over) return null
  const src = icon === 'warning' ? undefined : (tool.icon ?? request?.requester?.icon)
  return (
    <Part slotName="header">
      <Icon name={icon} src={src} />
      <div className="hp-heading">
        <CardPrompt />
        <CardAbout />
        <div className="hp-meta">
          <CardTitle />
          {interaction && !isTitled(interaction) ? ' · ' : null}
          <CardByline /> <CardTimeLeft />
        </div>
      </div>
      {popOut ? <CardPopOutTrigger /> : null}
    </Part>
  )
}

/** Shown before the question of a card has arrived. */
export function CardLoading() {
  if (useCard().view.state !== 'loading') return null
  return (
    <Part slotName="loading" aria-hidden="true">
      <span />
      <span />
    </Part>
  )
}

/** The row of buttons: deny before approve, in equal size. It stays in view while the rest scrolls. */
export function CardActions({ children, ...props }: PartProps) {
  if (!useCard().open) return null
  return (
    <Part slotName="actions" {...props}>
      {children}
    </Part>
  )
}
