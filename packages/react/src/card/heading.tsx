import { bylineOf, promptOf, titleOf } from '../shared/request.ts'
import { SafeText, Text } from '../shared/text.tsx'
import { useCard } from './card-context.ts'
import { Part, type PartProps } from './part.tsx'

/** What is asked, in a word. The card's name for assistive technology. */
export function CardTitle(props: PartProps) {
  const { interaction, id, over, messages } = useCard()
  if (over) return null
  return (
    <Part slotName="title" id={id('title')} {...props}>
      {props.children ?? (interaction ? titleOf(interaction, messages) : messages.loading)}
    </Part>
  )
}

/** By whom it is asked and with which tool: what the application says, not what the agent says. */
export function CardByline(props: PartProps) {
  const { interaction, over, messages } = useCard()
  if (!interaction || over) return null
  return (
    <Part slotName="byline" {...props}>
      {props.children ?? <Text>{bylineOf(interaction, messages)}</Text>}
    </Part>
  )
}

/** The question. Text and nothing but text, whatever an agent put into it. */
export function CardPrompt(props: PartProps) {
  const { interaction, id, over } = useCard()
  const prompt = interaction && promptOf(interaction)
  if (!prompt || over) return null
  return (
    <Part slotName="prompt" id={id('prompt')} {...props}>
      {props.children ?? <SafeText>{prompt}</SafeText>}
    </Part>
  )
}
