import { english, type Messages } from '@holdpoint/core/messages'
import { outcomeText } from '../answer-page/outcome.ts'
import type { InteractionRecord } from '../engine/api/interactions.ts'

/** Returns the outcome of an interaction as a sentence for this user: `You approved this`, `Ada approved this`. */
export function outcomeLine(
  interaction: InteractionRecord,
  { userId }: { userId: string },
  messages: Messages = english,
): string {
  return outcomeText(interaction, { userId }, messages) ?? messages.notAccepted
}
