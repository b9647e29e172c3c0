import { type ReactNode, useSyncExternalStore } from 'react'
import { outcomeOf } from '../shared/outcome.ts'
import { promptOf } from '../shared/request.ts'
import { fillTemplate } from '../shared/template.ts'
import { SafeText, Text } from '../shared/text.tsx'
import { useCard } from './card-context.ts'
import { Icon } from './icon.tsx'
import { Part } from './part.tsx'

const GOOD: ReadonlySet<string> = new Set(['approve', 'submit'])

/**
 * A card that is over: one line that says in our words what became of it, and opens to show what was asked and
 * answered. An agent's summary stands below, never instead.
 */
export function CardOutcome({ children }: { children?: ReactNode }) {
  const { interaction, request, over, view, id, messages } = useCard()
  const time = useTimeOfDay(interaction?.answeredAt ?? interaction?.response?.timestamp)
  if (!interaction || !over) return null
  const template = request?.completedView?.summaryTemplate
  const prompt = promptOf(interaction)
  return (
    <details className="hp-settled" data-slot="settled" data-state={view.state} key={interaction.interactionId}>
      <Part asChild slotName="outcome" id={id('title')}>
        <summary>
          <Icon
            name={iconOf(view.state, (interaction.response ?? interaction.draft?.answer)?.action, interaction.kind)}
          />
          <span className="hp-outcome-text">
            <span>
              <Text>{outcomeOf(interaction, view.state, messages, time)}</Text>
            </span>
            {prompt ? (
              <span className="hp-gist" dir="auto">
                <SafeText>{prompt.length > 300 ? `${prompt.slice(0, 300)}…` : prompt}</SafeText>
              </span>
            ) : null}
            {template ? (
              <span className="hp-summary">
                <SafeText>{fillTemplate(template, interaction.response)}</SafeText>
              </span>
            ) : null}
          </span>
        </summary>
      </Part>
      <Part slotName="record">{children}</Part>
    </details>
  )
}

function iconOf(state: string, action: string | undefined, kind: string): string {
  if (state === 'failed') return 'warning'
  if (state === 'expired') return 'clock'
  if (state === 'cancelled' || state === 'superseded') return 'cross'
  return kind === 'connect' || !action || GOOD.has(action) ? 'check' : 'cross'
}

const never = () => () => {}

/** The reader's time of day; nothing on a server, which does not know their time zone. */
function useTimeOfDay(timestamp: string | undefined): string | undefined {
  const { locale } = useCard()
  const hydrated = useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
  if (!hydrated || !timestamp) return undefined
  const date = new Date(timestamp)
  if (Number.isNaN(date.getTime())) return undefined
  return new Intl.DateTimeFormat(locale, { hour: 'numeric', minute: '2-digit' }).format(date)
}
