import { escapeInvisible } from '@holdpoint/core/internal'
import type { PageLanguage } from '../../answer-page/markup/language.ts'
import type { InteractionRecord } from '../../engine/api/interactions.ts'
import { hashOf } from '../../security/hashes.ts'
import { buttonsOf, cut, detailsOf, digestOf, lengthOf, promptOf, takesApproval, titleOf } from '../shown.ts'
import type { Recipient } from '../surface.ts'
import { outcomeLine } from '../words.ts'

/** The length of a text that systems show without cutting it. */
const SHOWN = { characters: 120, lines: 3 }
const LONGEST_BODY = 400
const LONGEST_TITLE = 80

/** The notification that the service worker shows. A notification with the same tag replaces an earlier one. */
export interface PushNotification {
  tag: string
  title: string
  body: string
  lang: string
  dir: 'ltr' | 'rtl'
  /** The page of the question, which a click opens. */
  url: string
  /** True if a notification that replaces another one alerts the user again. */
  renotify: boolean
  silent: boolean
  /** Buttons, if the notification shows everything that an approval covers. */
  answer?: { answerId: string; shownDigest: string; approve: string; deny: string }
}

export const tagOf = ({ interactionId }: { interactionId: string }): string => `holdpoint-${interactionId}`

/** Returns whether the notification can accept an approval: the risk is low, and the notification shows all of it. */
export function isAnsweredHere(interaction: InteractionRecord, language: PageLanguage): boolean {
  const body = bodyOf(
    interaction,
    interaction.request.type === 'interaction_request' ? (interaction.request.prompt ?? '') : '',
    language,
  )
  const fits = lengthOf(body) <= SHOWN.characters && body.split('\n').length <= SHOWN.lines
  return takesApproval(interaction, language, () => fits)
}

const bodyOf = (interaction: InteractionRecord, question: string, language: PageLanguage) =>
  escapeInvisible([question, detailsOf(interaction, language)].filter(Boolean).join('\n'))

export async function askingNotification(
  interaction: InteractionRecord,
  { deliveryId, reminder }: Recipient,
  url: string,
  language: PageLanguage,
): Promise<PushNotification> {
  const { messages, locale, direction } = language
  const here = isAnsweredHere(interaction, language)
  const prompt = promptOf(interaction, messages)
  const words = buttonsOf(interaction, messages)
  const answerId = `push-${(await hashOf(deliveryId)).slice(0, 40)}`
  return {
    tag: tagOf(interaction),
    title: cut(titleOf(interaction, messages), LONGEST_TITLE),
    body: here ? bodyOf(interaction, prompt, language) : cut(escapeInvisible(prompt), LONGEST_BODY),
    lang: locale,
    dir: direction,
    url,
    renotify: reminder > 0,
    silent: false,
    ...(here && {
      answer: { answerId, shownDigest: digestOf(interaction), approve: words.approve, deny: words.deny },
    }),
  }
}

/** Returns the notification that replaces the question by its outcome, without a sound. */
export function settledNotification(
  interaction: InteractionRecord,
  recipient: Recipient,
  url: string,
  { messages, locale, direction }: PageLanguage,
): PushNotification {
  return {
    tag: tagOf(interaction),
    title: cut(outcomeLine(interaction, recipient, messages), LONGEST_TITLE),
    body: cut(escapeInvisible(promptOf(interaction, messages)), LONGEST_BODY),
    lang: locale,
    dir: direction,
    url,
    renotify: false,
    silent: true,
  }
}
