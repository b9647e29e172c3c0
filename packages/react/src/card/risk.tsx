import { riskText } from '../wording/question-text.ts'
import { useCard } from './elements/card-context.ts'
import { Part, type PartProps } from './elements/part.tsx'

/** Shows the risk in words. It comes from the application, never from the agent. Color only repeats it. */
export function CardRisk(props: PartProps) {
  const { request, over, id, messages } = useCard()
  const risk = request?.risk
  if (!risk || over) return null
  return (
    <Part as="span" slotName="risk" id={id('risk')} data-risk={risk} {...props}>
      {props.children ?? riskText(risk, messages)}
    </Part>
  )
}
