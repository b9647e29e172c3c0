import type { cardViewOf, Interaction } from '@holdpoint/core'
import type { Approval, SpokenMessages } from '@holdpoint/core/internal'
import { say } from '@holdpoint/core/internal/words'

import { changeIds } from '../base/changes.ts'
import type { Device } from '../base/device.ts'

import { nameText } from './escape.ts'
import { type Names, toolNameOf } from './names.ts'
import { asSentence, gistOf, questionOf } from './question-text.ts'

/** The reader of a card: the user's own answers count as "yours", also after a reload and in another tab. */
export interface Reader {
  readonly userId?: string | undefined
  readonly device?: Pick<Device, 'isAnother'> | undefined
}

/** Returns the outcome of a question in words of this library, so that an agent cannot claim an approval. */
export function outcomeOf(
  interaction: Interaction,
  state: CardState,
  messages: SpokenMessages,
  { userId, device }: Reader = {},
): string {
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
  }
  // A request for accounts has no answer: its outcome is that they are connected.
  if (interaction.kind === 'connect')
    return interaction.authResult?.success === false ? messages.authFailed : messages.allConnected
  if (interaction.response?.coveredBy !== undefined) return ruleText(interaction, messages, userId)
  if (state !== 'answered-elsewhere') return yours(interaction, messages)
  if (!isOwn(interaction, userId)) return theirs(interaction, messages)
  const text = yours(interaction, messages)
  return isElsewhere(interaction, device) ? say(messages.onAnotherDevice, { text }) : text
}

/**
 * The announcement of an outcome. A person who did not answer here, and is not at the card, hears first which question it
 * belongs to.
 */
export function outcomeAloud(
  interaction: Interaction,
  state: CardState,
  messages: SpokenMessages,
  { isHere, ...reader }: Reader & Names & { isHere: boolean },
): string {
  const outcome = outcomeOf(interaction, state, messages, reader)
  if (isHere || interaction.answeredHere) return outcome
  return `${asSentence(gistOf(interaction, messages, reader))} ${asSentence(outcome)}`
}

/** Returns the text for an answer by a remembered approval, with its user. */
export function ruleText(
  interaction: Interaction,
  messages: Pick<SpokenMessages, 'allowedByRule'>,
  userId: string | undefined,
  label?: string,
): string {
  const { name, userId: id } = interaction.answeredBy ?? interaction.response?.respondedBy ?? {}
  const other = isOwn(interaction, userId) ? undefined : (name ?? id)
  return say(messages.allowedByRule, { ...(label && { label }), ...(other && { name: nameText(other) }) })
}

/** Whether the reader answered on another device than this one. */
export function isElsewhere({ answeredBy, answeredAt, response }: Interaction, device: Reader['device']): boolean {
  const clientId = answeredBy?.clientId ?? response?.respondedBy.clientId
  return (clientId !== undefined && device?.isAnother(clientId, answeredAt ?? response?.timestamp)) ?? false
}

/** Returns how a call ended that continued after an approval. */
export function completionOf(
  interaction: Interaction,
  state: CardState,
  callStatus: string | undefined,
  messages: SpokenMessages,
  names: Names,
): string {
  const failed = state === 'failed' || callStatus === 'error'
  if (failed) return messages.failed
  const label = questionOf(interaction)?.labels?.approve
  return say(callStatus === 'cancelled' ? messages.stopped : messages.completed, {
    text: nameText(label ?? toolNameOf(interaction.toolName, names)),
  })
}

/** Returns whether the reader answered. User ids are compared only if both are known. */
export function isOwn({ answeredBy, response }: Interaction, userId: string | undefined): boolean {
  const by = answeredBy?.userId ?? response?.respondedBy.userId
  return !!userId && by === userId
}

function yours(interaction: Interaction, messages: SpokenMessages): string {
  const { response, draft } = interaction
  switch (response?.action ?? draft?.answer.action) {
    case 'approve':
      return say(messages.youApproved, approvalOf(interaction))
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

function theirs(interaction: Interaction, messages: SpokenMessages): string {
  const { response, answeredBy } = interaction
  const { name, userId } = answeredBy ?? response?.respondedBy ?? {}
  const who = name ?? userId
  const by = who ? { name: nameText(who) } : {}
  if (response?.action === 'approve') return say(messages.theyApproved, { ...by, ...approvalOf(interaction) })
  return say(response?.action === 'deny' ? messages.theyDenied : messages.theyAnswered, by)
}

/** Returns the extent of an approval: its duration, its changes, and their number. */
export function approvalOf(interaction: Interaction): Approval {
  const { response, draft } = interaction
  const { approvalScope, args, diffDecisions = {} } = response ?? draft?.answer ?? {}
  const changes = changeIds(questionOf(interaction)?.diff)
  return {
    ...(approvalScope ? { scope: approvalScope } : {}),
    edited: args !== undefined,
    accepted: changes.filter((id) => diffDecisions[id] !== 'reject').length,
    total: changes.length,
  }
}

/** The state of a card in its `data-state`. Part of the public interface. */
export type CardState = ReturnType<typeof cardViewOf>['state']
