import type { Answer, Interaction } from '@holdpoint/core'
import { say } from '@holdpoint/core/internal'
import type { Messages } from '@holdpoint/core/messages'

import { nameText } from './escape.ts'
import { questionOf } from './question-text.ts'

/** Returns an answer in the words of its button: "Keep files", "Delete 3 files with changes". */
export function answerText(interaction: Interaction, answer: Answer, messages: Messages): string {
  const { action, args, diffDecisions } = answer
  const labels = questionOf(interaction)?.labels
  const own = (label: string | undefined, ours: string) => (label ? nameText(label) : ours)
  switch (action) {
    case 'approve': {
      const label = own(labels?.approve, messages.approve)
      if (args !== undefined) return say(messages.approveWithChanges, { label })
      const choices = Object.values(diffDecisions ?? {})
      const accepted = choices.filter((choice) => choice === 'accept').length
      return accepted < choices.length ? say(messages.approveSome, { label, accepted, total: choices.length }) : label
    }
    case 'deny':
      return own(labels?.deny, messages.deny)
    case 'decline':
      return own(labels?.decline, messages.decline)
    case 'cancel':
      return own(labels?.cancel, messages.dismiss)
    default:
      return own(labels?.submit, messages.submit)
  }
}

/** An action in the words of its button. */
export function actionText({ name }: CardAction, messages: Pick<Messages, 'stopTask' | 'moreTime'>): string {
  return name === 'stop' ? messages.stopTask : messages.moreTime
}

/** Names the answer that could not be sent. A form is named by its input, not by its button. */
export function unsentText(
  interaction: Interaction | undefined,
  answer: Answer | undefined,
  messages: Messages,
): string {
  if (!interaction || !answer || answer.action === 'submit') return messages.notSent
  return say(messages.unsent, { answer: answerText(interaction, answer, messages) })
}

/** An action of a user at a question, besides answering it. */
export interface CardAction {
  readonly name: 'stop' | 'extend'
  readonly status: 'sending' | 'not-sent' | 'refused'
}
