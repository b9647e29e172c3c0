import type { InteractionRecord } from '../../engine/api/interactions.ts'
import type { MessageLanguage } from '../message-language.ts'
import { buttonsOf, cut, detailsOf, digestOf, lengthOf, promptOf, takesApproval, titleOf } from '../shown.ts'
import { plain } from './plain.ts'

/**
 * The maximum length of the text. The smallest limit of a platform is Telegram's 4,096 characters, and the rest of the
 * message needs space too.
 */
const LONGEST_TEXT = 1_500
/** The maximum length of a button's value. Telegram allows 64 bytes, including the name of the button and its JSON. */
const LONGEST_VALUE = 40
const DIGEST_LENGTH = 8

export const APPROVE = 'hp:y'
export const DENY = 'hp:n'

/** A card in the format of the Chat SDK. */
export interface ChatCard {
  card: { type: 'card'; title: string; children: object[] }
  fallbackText: string
}

const text = (content: string) => ({ type: 'text', content })

/** Returns the value of a button. Platforms allow few characters, so it contains only the start of the digest. */
const buttonValue = (interaction: InteractionRecord) =>
  `${interaction.interactionId}${digestOf(interaction).slice(0, DIGEST_LENGTH)}`

/** Reads the interaction and the start of the digest from the value of a button. */
export function readValue(value: string): { interactionId: string; digestStart: string } {
  return { interactionId: value.slice(0, -DIGEST_LENGTH), digestStart: value.slice(-DIGEST_LENGTH) }
}

/**
 * Returns whether the message can accept an approval: the approval fits completely, and all platforms show its
 * characters unchanged. All other questions are answered on the page.
 */
export function canAnswerInMessage(interaction: InteractionRecord, language: MessageLanguage): boolean {
  const fits = (shown: string) => lengthOf(shown) <= LONGEST_TEXT && plain(shown) === shown
  return takesApproval(interaction, language, fits) && buttonValue(interaction).length <= LONGEST_VALUE
}

/** Returns the message with the question. */
export function questionMessage(interaction: InteractionRecord, link: string, language: MessageLanguage): ChatCard {
  const { messages, say } = language
  const title = plain(titleOf(interaction, messages))
  const prompt = plain(cut(promptOf(interaction, messages), LONGEST_TEXT))
  const isHere = canAnswerInMessage(interaction, language)
  const details = isHere ? detailsOf(interaction, language) : ''
  const words = buttonsOf(interaction, messages)
  const value = isHere ? buttonValue(interaction) : ''
  const answers = isHere
    ? [
        { type: 'button', id: APPROVE, label: plain(words.approve), style: 'primary', value },
        { type: 'button', id: DENY, label: plain(words.deny), value },
      ]
    : []
  const open = { type: 'link-button', label: say.open, url: link }
  const children = [
    text(prompt),
    ...(details ? [text(details)] : []),
    { type: 'actions', children: [...answers, open] },
  ]
  return { card: { type: 'card', title, children }, fallbackText: `${title}\n${prompt}\n${link}` }
}

/** Returns a reminder: a link to the question, without buttons that answer it. */
export function reminderMessage(
  interaction: InteractionRecord,
  link: string,
  { messages, say }: MessageLanguage,
): ChatCard {
  const title = plain(titleOf(interaction, messages))
  const line = plain(say.reminder)
  const open = { type: 'actions', children: [{ type: 'link-button', label: say.open, url: link }] }
  return { card: { type: 'card', title, children: [text(line), open] }, fallbackText: `${title}\n${line}\n${link}` }
}

/** Returns the message after the question was settled, without buttons. */
export function settledMessage(
  interaction: InteractionRecord,
  outcome: string,
  { messages }: MessageLanguage,
): ChatCard {
  const prompt = plain(cut(promptOf(interaction, messages), LONGEST_TEXT))
  const line = plain(outcome)
  return { card: { type: 'card', title: line, children: [text(prompt)] }, fallbackText: `${line}\n${prompt}` }
}
