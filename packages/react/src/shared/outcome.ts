import type { Interaction } from '@holdpoint/core'
import { say } from '../messages/messages.ts'
import type { SpokenMessages } from '../messages/spoken.ts'
import { nameText } from './escape.ts'
import type { CardState } from './use-view.ts'

/**
 * What became of a question, in our words: an agent cannot say that something was approved. `time` is left out where
 * it is not known what the reader's time zone is, on a server.
 */
export function outcomeOf(interaction: Interaction, state: CardState, messages: SpokenMessages, time?: string): string {
  switch (state) {
    case 'approved-still-running':
      return messages.running
    case 'expired':
      return messages.expired
    case 'cancelled':
      return interaction.authResult ? messages.authFailed : messages.cancelled
    case 'superseded':
      return messages.superseded
    case 'failed':
      return messages.failed
    case 'answered-elsewhere':
      // Accounts are not answered: what counts is that they are connected, not where.
      return interaction.kind === 'connect' ? answered(interaction, messages) : elsewhere(interaction, messages, time)
    default:
      return answered(interaction, messages)
  }
}

function answered({ kind, response, authResult, draft }: Interaction, messages: SpokenMessages): string {
  if (kind === 'connect') return authResult?.success === false ? messages.authFailed : messages.allConnected
  switch (response?.action ?? draft?.answer.action) {
    case 'approve':
      return say(messages.youApproved, {
        ...(response?.approvalScope ? { scope: response.approvalScope } : {}),
        edited: response?.args !== undefined,
      })
    case 'deny':
      return messages.youDenied
    case 'decline':
      return messages.youDeclined
    case 'cancel':
      return messages.youDismissed
    default:
      return messages.youSubmitted
  }
}

function elsewhere({ response, answeredBy }: Interaction, messages: SpokenMessages, time?: string): string {
  const { name, userId } = answeredBy ?? response?.respondedBy ?? {}
  const who = name ?? userId
  const sentence = say(messages.elsewhere, { ...(who ? { name: nameText(who) } : {}), ...(time ? { time } : {}) })
  if (response?.action === 'approve') return `${messages.approvedElsewhere}. ${sentence}`
  return response?.action === 'deny' ? `${messages.deniedElsewhere}. ${sentence}` : sentence
}
