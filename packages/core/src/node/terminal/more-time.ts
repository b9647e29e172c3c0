import type { HoldpointClient } from '../../client/api/types.ts'
import { cardViewOf } from '../../machine/state/view.ts'
import { deadlineText } from '../../messages/messages.ts'
import { spokenEnglish } from '../../messages/spoken.ts'
import type { InteractionRequestEvent } from '../../protocol/events.ts'
import type { Prompter } from './prompter.ts'

/** The line that asks for more time. It starts with a colon, because a form takes most other lines as an answer. */
const MORE = ':more'

/** Prints the remaining time, and how to get more. A question that stays answerable says that the assistant continues. */
export function printDeadline(client: HoldpointClient, interactionId: string, prompter: Prompter): void {
  const { remainingMs, canExtend, request } = deadlineOf(client, interactionId)
  const text = deadlineText(request, remainingMs, spokenEnglish, 'en')
  if (text) prompter.print(text)
  if (text && canExtend) prompter.print(`Type ${MORE} for more time.`)
}

/** Returns a prompter that takes the line for more time at every prompt of a question, and then asks the same again. */
export function withMoreTime(prompter: Prompter, client: HoldpointClient, interactionId: string): Prompter {
  return {
    ...prompter,
    async line(question, options) {
      for (;;) {
        const typed = await prompter.line(question, options)
        // A secret may be any text.
        const wanted = !options?.hidden && typed.trim().toLowerCase() === MORE
        if (!wanted || !deadlineOf(client, interactionId).canExtend) return typed
        prompter.print(ANSWERS[(await client.extend(interactionId)).status])
      }
    },
  }
}

const ANSWERS = {
  extended: 'You have more time.',
  not_extendable: 'This question allows no more time.',
  failed: `More time could not be requested. Type ${MORE} again.`,
}

function deadlineOf(client: HoldpointClient, interactionId: string) {
  const state = client.getSnapshot()
  const interaction = state.interactions.get(interactionId)
  const { remainingMs, canExtend } = cardViewOf(interaction, state, Date.now())
  return { remainingMs, canExtend, request: interaction?.request as InteractionRequestEvent | undefined }
}
