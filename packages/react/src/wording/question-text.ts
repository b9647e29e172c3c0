import type { Interaction } from '@holdpoint/core'
import type { AuthNeededEvent, InteractionRequestEvent } from '@holdpoint/core/protocol'
import { type Messages, say } from '../messages/messages.ts'
import type { SpokenMessages } from '../messages/spoken.ts'
import { nameText, visible } from './escape.ts'

/** What asked, when it was an approval, a form or a kind that is not known. */
export function questionOf(interaction: Interaction): InteractionRequestEvent | undefined {
  return interaction.request.type === 'interaction_request'
    ? (interaction.request as InteractionRequestEvent)
    : undefined
}

/** What asked, when it was for accounts. */
export function authOf(interaction: Interaction): AuthNeededEvent | undefined {
  return interaction.request.type === 'auth_needed' ? (interaction.request as AuthNeededEvent) : undefined
}

/** The heading: the host's, or ours. */
export function titleOf(interaction: Interaction, messages: SpokenMessages): string {
  const label = questionOf(interaction)?.labels?.title
  if (label) return visible(label)
  if (interaction.kind === 'approval') return messages.approvalTitle
  if (interaction.kind === 'input') return messages.inputTitle
  if (interaction.kind === 'unknown') return messages.unknownTitle
  return say(messages.connectTitle, { count: authOf(interaction)?.integrations.length ?? 1 })
}

/** What is asked, as the agent put it. */
export function promptOf(interaction: Interaction): string | undefined {
  return questionOf(interaction)?.prompt ?? authOf(interaction)?.reason
}

/** By whom, and with which tool. */
export function bylineOf(interaction: Interaction, messages: Pick<Messages, 'byline'>): string {
  const requester = questionOf(interaction)?.requester?.name
  return say(messages.byline, {
    requester: requester ? nameText(requester) : '',
    tool: nameText(interaction.toolName),
  })
}

/** The question in one line, for a live region or a list. */
export function gistOf(interaction: Interaction, messages: SpokenMessages): string {
  const text = visible(promptOf(interaction) ?? titleOf(interaction, messages)).replace(/\s+/g, ' ')
  return text.length > 200 ? `${text.slice(0, 199)}…` : text
}
