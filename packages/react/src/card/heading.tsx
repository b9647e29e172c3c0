import { bylineOf, promptOf, titleOf } from '../wording/question-text.ts'
import { SafeText, Text } from '../wording/text.tsx'
import { useCard } from './card-context.ts'
import { Part, type PartProps } from './part.tsx'

/** What kind of question it is, in a word. It names a card that has no prompt, and describes every other one. */
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

/**
 * The question: a heading, and the card's name for assistive technology. Text and nothing but text, whatever an agent
 * put into it. It takes focus when a user moves to the question, for example by `jumpToNext`.
 */
export function CardPrompt(props: PartProps) {
  const { interaction, id, over, headingLevel } = useCard()
  const prompt = interaction && promptOf(interaction)
  if (!prompt || over) return null
  return (
    <Part slotName="prompt" id={id('prompt')} role="heading" aria-level={headingLevel} tabIndex={-1} {...props}>
      {props.children ?? <SafeText>{prompt}</SafeText>}
    </Part>
  )
}
