import { escapeInvisible } from '@holdpoint/core/internal'
import type { InteractionRecord } from '../../../engine/api/interactions.ts'
import type { MessageLanguage } from '../../message-language.ts'
import { buttonsOf, cut, detailsOf, lengthOf, promptOf, takesApproval } from '../../shown.ts'
import { canShowForm } from './modal.ts'
import { metadataOf } from './question-value.ts'
import { LONGEST_TEXT, plain, section } from './text.ts'

const LONGEST_VALUE = 2_000
const LONGEST_BUTTON = 75
const LONGEST_FALLBACK = 300

/** A message in Slack's format. */
export interface SlackMessage {
  text: string
  blocks: object[]
}

/** Escapes the three special characters of a fallback text, because Slack parses it for notifications. */
const fallback = (text: string) =>
  cut(escapeInvisible(text), LONGEST_FALLBACK).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/**
 * Returns whether the message can accept an approval: the approval fits completely, and the button's value can identify
 * it.
 */
export function canAnswerInMessage(interaction: InteractionRecord, language: MessageLanguage): boolean {
  const fits = (text: string) => lengthOf(text) <= LONGEST_TEXT
  return takesApproval(interaction, language, fits) && metadataOf(interaction).length <= LONGEST_VALUE
}

/** Returns the message with the question. A reminder starts with an additional line. */
export function questionMessage(
  interaction: InteractionRecord,
  link: string,
  language: MessageLanguage,
  isReminder = false,
): SlackMessage {
  const { messages, say } = language
  const prompt = promptOf(interaction, messages)
  const isHere = canAnswerInMessage(interaction, language)
  const details = isHere ? detailsOf(interaction, language) : ''
  const button = (label: string, more: object) => ({
    ...{ type: 'button', text: plain(cut(escapeInvisible(label), LONGEST_BUTTON)), ...more },
  })
  const value = metadataOf(interaction)
  const words = buttonsOf(interaction, messages)
  const approval = [
    button(words.approve, { action_id: 'holdpoint.approve', style: 'primary', value }),
    button(words.deny, { action_id: 'holdpoint.deny', value }),
  ]
  const form = [
    button(say.answer, { action_id: 'holdpoint.form', style: 'primary', value }),
    button(words.decline, { action_id: 'holdpoint.decline', value }),
  ]
  const isForm = canShowForm(interaction, language) && value.length <= LONGEST_VALUE
  const answers = isHere ? approval : isForm ? form : []
  const open = button(say.open, { action_id: 'holdpoint.open', url: link })
  const blocks = [
    ...(isReminder ? [section(say.reminder)] : []),
    section(prompt),
    ...(details ? [section(details)] : []),
    { type: 'actions', elements: [...answers, open] },
  ]
  return { text: fallback(isReminder ? `${say.reminder} ${prompt}` : prompt), blocks }
}

/** Returns the message after the question was settled, without buttons. */
export function settledMessage(
  interaction: InteractionRecord,
  outcome: string,
  { messages }: MessageLanguage,
): SlackMessage {
  const prompt = promptOf(interaction, messages)
  return { text: fallback(`${outcome}: ${prompt}`), blocks: [section(prompt), section(outcome)] }
}
