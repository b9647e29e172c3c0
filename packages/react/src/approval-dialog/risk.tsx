import { useCard } from '../card/card-context.ts'
import { Part, type PartProps } from '../card/part.tsx'
import { useSettings } from '../card/use-settings.ts'
import type { Messages } from '../messages/messages.ts'
import { questionOf } from '../shared/request.ts'
import { isOver } from '../shared/use-view.ts'

/** How dangerous it is, in words: the application says so, never the agent. Colour only repeats it. */
export function ApprovalDialogRisk(props: PartProps) {
  const { interaction, view, id } = useCard()
  const { messages } = useSettings()
  const risk = interaction && questionOf(interaction)?.risk
  if (!risk || isOver(view.state)) return null
  return (
    <Part as="span" slotName="risk" id={id('risk')} data-risk={risk} {...props}>
      {props.children ?? riskText(risk, messages)}
    </Part>
  )
}

function riskText(risk: string, messages: Messages): string {
  if (risk === 'high') return messages.riskHigh
  return risk === 'low' ? messages.riskLow : messages.riskMedium
}
