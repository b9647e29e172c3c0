import type { Interaction } from '@holdpoint/core'
import type { SpokenMessages } from '@holdpoint/core/internal'
import { say } from '@holdpoint/core/internal/words'

import type { Names } from '../wording/names.ts'
import { questionAloud, refusalOf } from '../wording/question-text.ts'
import type { Announcer } from './announcer.ts'

/** Announces that a question waits. If it is asked again, the announcement begins with the problem of the answer. */
export function announceAsked(
  announcer: Announcer,
  interaction: Interaction,
  messages: SpokenMessages,
  reader: Names & { now: number; locale: string },
): void {
  const { interactionId, replaces } = interaction
  const refusal = refusalOf(interaction)
  if (refusal === undefined) announcer.asked(interactionId, questionAloud(interaction, messages, reader), messages)
  else announcer.refused(interactionId, replaces, say(messages.announceRefused, { text: refusal }))
}
