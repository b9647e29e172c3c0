import type { InteractionRecord } from '../../engine/api/interactions.ts'
import type { MessageLanguage } from '../message-language.ts'
import { cut, detailsOf, digestOf, lengthOf, promptOf, takesApproval, titleOf } from '../shown.ts'
import { plain } from './plain.ts'

/** The least that a platform takes: Telegram's 4,096 characters, with room for the rest of the message. */
const LONGEST_TEXT = 1_500
/** Telegram takes 64 bytes with the name of the button and its JSON. */
const LONGEST_VALUE = 40
const DIGEST_LENGTH = 8

export const APPROVE = 'hp:y'
export const DENY = 'hp:n'

/** A card as the Chat SDK takes it. */
export interface ChatCard {
  card: { type: 'card'; title: string; children: object[] }
  fallbackText: string
}

const text = (content: string) => ({ type: 'text', content })

/** The value of a button. Platforms take few characters, so the server compares the first ones of the digest. */
const buttonValue = (interaction: InteractionRecord) =>
  `${interaction.interactionId}${digestOf(interaction).slice(0, DIGEST_LENGTH)}`

/** The interaction and the start of the digest that a button carries. */
export function readValue(value: string): { interactionId: string; digestStart: string } {
  return { interactionId: value.slice(0, -DIGEST_LENGTH), digestStart: value.slice(-DIGEST_LENGTH) }
}

/**
 * Whether the message takes an approval: all of it fits, and every platform shows its characters as they are. Everything
 * else is answered on the page.
 */
export function takesAnswers(interaction: InteractionRecord): boolean {
  const fits = (shown: string) => lengthOf(shown) <= LONGEST_TEXT && plain(shown) === shown
  return takesApproval(interaction, fits) && buttonValue(interaction).length <= LONGEST_VALUE
}

/** The message that asks. */
export function asking(interaction: InteractionRecord, link: string, { messages, say }: MessageLanguage): ChatCard {
  const title = plain(titleOf(interaction, messages))
  const prompt = plain(cut(promptOf(interaction, messages), LONGEST_TEXT))
  const isHere = takesAnswers(interaction)
  const details = isHere ? detailsOf(interaction) : ''
  const value = isHere ? buttonValue(interaction) : ''
  const answers = isHere
    ? [
        { type: 'button', id: APPROVE, label: messages.approve, style: 'primary', value },
        { type: 'button', id: DENY, label: messages.deny, value },
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

/** A reminder: where the question is, without buttons of its own. */
export function reminding(interaction: InteractionRecord, link: string, { messages, say }: MessageLanguage): ChatCard {
  const title = plain(titleOf(interaction, messages))
  const line = plain(say.reminder)
  const open = { type: 'actions', children: [{ type: 'link-button', label: say.open, url: link }] }
  return { card: { type: 'card', title, children: [text(line), open] }, fallbackText: `${title}\n${line}\n${link}` }
}

/** The same message after the question was settled: without buttons. */
export function settled(interaction: InteractionRecord, outcome: string, { messages }: MessageLanguage): ChatCard {
  const prompt = plain(cut(promptOf(interaction, messages), LONGEST_TEXT))
  const line = plain(outcome)
  return { card: { type: 'card', title: line, children: [text(prompt)] }, fallbackText: `${line}\n${prompt}` }
}
