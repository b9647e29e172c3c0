import { visible } from '@holdpoint/core/internal'
import type { Messages } from '@holdpoint/core/messages'
import type { InteractionRecord } from '../../engine/api/interactions.ts'
import { sentencesIn } from '../sentences.ts'
import { cut, detailsOf, digestOf, lengthOf, promptOf, takesApproval } from '../shown.ts'

/** Characters of one text block that Slack takes. */
const LONGEST_TEXT = 3_000
const LONGEST_VALUE = 2_000
const LONGEST_FALLBACK = 300

/** A message as Slack takes it. */
export interface SlackMessage {
  text: string
  blocks: object[]
}

/** What a button carries: the interaction, and the digest of what its message showed. */
export interface ButtonValue {
  tenant: string
  sessionId: string
  interactionId: string
  shownDigest: string
}

/** Plain text, so that nothing in it is a mention, a link or a format. */
const section = (text: string) => ({
  type: 'section',
  text: { type: 'plain_text', text: cut(visible(text), LONGEST_TEXT), emoji: false },
})

/** The fallback text of notifications is parsed by Slack, so its three special characters are escaped. */
const fallback = (text: string) =>
  cut(visible(text), LONGEST_FALLBACK).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** Whether the message takes an approval: all of it fits into the message, and the button can name it. */
export function takesAnswers(interaction: InteractionRecord): boolean {
  const fits = (text: string) => lengthOf(text) <= LONGEST_TEXT
  return takesApproval(interaction, fits) && buttonValue(interaction).length <= LONGEST_VALUE
}

function buttonValue(interaction: InteractionRecord): string {
  const { tenant, sessionId, interactionId } = interaction
  return JSON.stringify({ tenant, sessionId, interactionId, shownDigest: digestOf(interaction) } satisfies ButtonValue)
}

/** The message that asks. */
export function asking(interaction: InteractionRecord, link: string, messages: Messages): SlackMessage {
  const prompt = promptOf(interaction, messages)
  const isHere = takesAnswers(interaction)
  const details = isHere ? detailsOf(interaction) : ''
  const value = isHere ? buttonValue(interaction) : ''
  const button = (label: string, more: object) => ({
    type: 'button',
    text: { type: 'plain_text', text: label },
    ...more,
  })
  const answers = isHere
    ? [
        button(messages.approve, { action_id: 'holdpoint.approve', style: 'primary', value }),
        button(messages.deny, { action_id: 'holdpoint.deny', value }),
      ]
    : []
  const open = button(sentencesIn('en').open, { action_id: 'holdpoint.open', url: link })
  const blocks = [
    section(prompt),
    ...(details ? [section(details)] : []),
    { type: 'actions', elements: [...answers, open] },
  ]
  return { text: fallback(prompt), blocks }
}

/** The same message after the question was settled: without buttons. */
export function settled(interaction: InteractionRecord, outcome: string, messages: Messages): SlackMessage {
  const prompt = promptOf(interaction, messages)
  return { text: fallback(`${outcome}: ${prompt}`), blocks: [section(prompt), section(outcome)] }
}
