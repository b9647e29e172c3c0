import { say } from '@holdpoint/core/internal'
import { useState } from 'react'
import { authOf, bylineOf, headingOf, isTitled, titleOf } from '../wording/question-text.ts'
import { SafeText, Text } from '../wording/text.tsx'
import { CardButton } from './elements/button.tsx'
import { useCard } from './elements/card-context.ts'
import { cutAt, linesIn } from './elements/code-block.tsx'
import { Part, type PartProps } from './elements/part.tsx'

/** Shows the kind of the question in a word. It describes the card. */
export function CardTitle(props: PartProps) {
  const { interaction, id, over, messages } = useCard()
  // The heading of a question for accounts already contains its kind.
  if (over || (interaction && isTitled(interaction) && !props.children)) return null
  return (
    <Part as="span" slotName="title" id={id('title')} {...props}>
      {props.children ?? (interaction ? titleOf(interaction, messages) : messages.loading)}
    </Part>
  )
}

/** Shows who asks and with which tool, in the application's words and never in the agent's. */
export function CardByline(props: PartProps) {
  const { interaction, over, messages, tool } = useCard()
  if (!interaction || over) return null
  return (
    <Part as="span" slotName="byline" {...props}>
      {props.children ?? <Text>{bylineOf(interaction, messages, tool.name)}</Text>}
    </Part>
  )
}

/**
 * The question: a heading, and the card's name for assistive technology. It is plain text, whatever an agent put into
 * it. It gets the focus when a user moves to the question, for example by `jumpToNext`. A long one is cut and can be
 * expanded.
 */
export function CardPrompt(props: PartProps) {
  const { interaction, id, over, headingLevel, messages, tool, tools, integrations } = useCard()
  const contentLang = useContentLang()
  const [open, setOpen] = useState(false)
  if (!interaction || over) return null
  const text = headingOf(interaction, messages, { tools, integrations, toolTitle: tool.name })
  const cut = open ? null : cutAt(text, { lines: 8, characters: 600 })
  return (
    <>
      <Part
        slotName="prompt"
        id={id('prompt')}
        role="heading"
        aria-level={headingLevel}
        tabIndex={-1}
        data-long={text.length > 120 || undefined}
        lang={contentLang}
        {...props}
      >
        {props.children ?? <Text>{cut === null ? text : `${text.slice(0, cut)}…`}</Text>}
      </Part>
      {cut === null || props.children ? null : (
        <CardButton slotName="expand" variant="quiet" aria-expanded={false} onPress={() => setOpen(true)}>
          {say(messages.showAll, { count: linesIn(text.slice(cut)) })}
        </CardButton>
      )}
    </>
  )
}

/** Why accounts are needed, or what the tool does. */
export function CardAbout(props: PartProps) {
  const { interaction, id, over, tool } = useCard()
  const contentLang = useContentLang()
  const reason = interaction && authOf(interaction)?.reason
  const text = reason ?? tool.description
  if (!interaction || !text || over) return null
  return (
    <Part as="p" slotName="about" id={id('about')} lang={reason ? contentLang : undefined} {...props}>
      {props.children ?? <SafeText>{text}</SafeText>}
    </Part>
  )
}

/**
 * Returns the language of the agent's and the host's text: that of the question; unknown if the card names a language
 * and the question does not.
 */
export function useContentLang(): string | undefined {
  const { request, lang } = useCard()
  return request?.lang ?? (lang === undefined ? undefined : '')
}
