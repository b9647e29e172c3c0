import { say } from '@holdpoint/core/internal'
import type { ReactNode } from 'react'
import { visible } from '../wording/escape.ts'
import { isOwn, outcomeOf } from '../wording/outcome-text.ts'
import { promptOf } from '../wording/question-text.ts'
import { receiptOf } from '../wording/receipt-text.ts'
import { fillTemplate } from '../wording/template.ts'
import { SafeText, Text } from '../wording/text.tsx'
import { useHydrated } from './behavior/use-hydrated.ts'
import { CardButton } from './elements/button.tsx'
import { useCard } from './elements/card-context.ts'
import { Icon } from './elements/icon.tsx'
import { Part } from './elements/part.tsx'

/** States of an answered question, whose line contains the time of the answer. */
const ANSWERED: ReadonlySet<string> = new Set(['answered-here', 'answered-elsewhere', 'approved-still-running'])
const GOOD: ReadonlySet<string> = new Set(['approve', 'submit'])

/**
 * Shows a settled card: one line of ours with the outcome, which opens to show the question and the answer. An agent's
 * summary is shown below it, never instead.
 */
export function CardOutcome({ children }: { children?: ReactNode }) {
  const { interaction, request, over, view, id, messages, device, tool, onChangeApprovals } = useCard()
  const hydrated = useHydrated()
  const time = useTimeOfAnswer(interaction?.answeredAt ?? interaction?.response?.timestamp, hydrated)
  if (!interaction || !over) return null
  const reader = { userId: view.userId, device: hydrated ? device : undefined }
  const outcome = outcomeOf(interaction, view.state, messages, reader)
  const receipt = receiptOf(interaction, view.state, messages, { ...reader, time, toolName: tool.name })
  const text =
    receipt ??
    (time && ANSWERED.has(view.state) ? say(messages.at, { text: outcome.replace(/\.$/, ''), time }) : outcome)
  const template = request?.completedView?.summaryTemplate
  const prompt = promptOf(interaction)
  const isOwnRule = interaction.response?.coveredBy !== undefined && isOwn(interaction, view.userId)
  const line = (
    <details className="hp-settled" data-slot="settled" data-state={view.state} key={interaction.interactionId}>
      <Part asChild slotName="outcome" id={id('title')}>
        <summary>
          <Icon
            name={iconOf(view.state, (interaction.response ?? interaction.draft?.answer)?.action, interaction.kind)}
          />
          <span className="hp-outcome-text">
            <span>
              <Text>{text}</Text>
            </span>
            {prompt ? ' ' : null}
            {prompt ? (
              <bdi className="hp-gist">{visible(prompt.length > 300 ? `${prompt.slice(0, 300)}…` : prompt)}</bdi>
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
  return isOwnRule && onChangeApprovals ? (
    <>
      {line}
      <CardButton slotName="change-rule" variant="quiet" onPress={() => onChangeApprovals(interaction.toolName)}>
        {messages.changeRule}
      </CardButton>
    </>
  ) : (
    line
  )
}

function iconOf(state: string, action: string | undefined, kind: string): string {
  if (state === 'failed') return 'warning'
  if (state === 'expired') return 'clock'
  if (state === 'cancelled' || state === 'superseded') return 'cross'
  return kind === 'connect' || !action || GOOD.has(action) ? 'check' : 'cross'
}

/** Returns the time of the answer, with its date if that is not today. */
function useTimeOfAnswer(timestamp: string | undefined, hydrated: boolean): string | undefined {
  const { locale, clock } = useCard()
  if (!hydrated || !timestamp) return undefined
  const date = new Date(timestamp)
  if (Number.isNaN(date.getTime())) return undefined
  const today = new Date(clock.now())
  // In a history, the time alone would be that of any day.
  const day = date.toDateString() === today.toDateString() ? {} : ({ day: 'numeric', month: 'short' } as const)
  const year = date.getFullYear() === today.getFullYear() ? {} : ({ year: 'numeric' } as const)
  return new Intl.DateTimeFormat(locale, { ...year, ...day, hour: 'numeric', minute: '2-digit' }).format(date)
}
