import type { Interaction } from '@holdpoint/core'
import { say } from '@holdpoint/core/internal'
import type { Messages } from '@holdpoint/core/messages'
import { nameText } from './escape.ts'
import type { CardState } from './outcome-text.ts'
import { approvalOf, isElsewhere, isOwn, type Reader } from './outcome-text.ts'
import { questionOf } from './question-text.ts'
import { scopeText } from './scope-text.ts'

/** Who reads a receipt, when the answer was given, and how its tool is called. */
export interface ReceiptReader extends Reader {
  readonly time: string | undefined
  readonly toolName: string
}

/**
 * What was approved or denied, by whom, when, and for how long, in one line: "Approved: Delete 3 files · you · 9:17 · just
 * this time". Undefined for questions that ended otherwise, and for those whose button had no words of its own.
 */
export function receiptOf(
  interaction: Interaction,
  state: CardState,
  messages: Messages,
  { time, toolName, userId, device }: ReceiptReader,
): string | undefined {
  const request = questionOf(interaction)
  const { approve } = request?.labels ?? {}
  if (!request || !approve || (state !== 'answered-here' && state !== 'answered-elsewhere')) return undefined
  const label = nameText(approve)
  const answer = interaction.response ?? interaction.draft?.answer
  const what =
    answer?.action === 'approve'
      ? say(messages.receiptApproved, { label, ...approvalOf(interaction) })
      : answer?.action === 'deny'
        ? say(messages.receiptDenied, { label })
        : undefined
  if (what === undefined) return undefined
  const own = state === 'answered-here' || isOwn(interaction, userId)
  const { name, userId: otherId } = interaction.answeredBy ?? interaction.response?.respondedBy ?? {}
  const other = name ?? otherId
  const who = own
    ? isElsewhere(interaction, device)
      ? messages.youElsewhere
      : messages.you
    : other
      ? nameText(other)
      : messages.anotherUser
  const chosen = answer?.action === 'approve' ? (answer.approvalScope ?? '') : ''
  const scope =
    chosen && (request.approvalScopes?.length ?? 0) > 1 ? scopeText(chosen, request, toolName, messages) : ''
  // A line must not break between "2:02" and "PM".
  return [what, who, time?.replace(/\s/g, '\u00a0'), lowerFirst(scope)].filter(Boolean).join(' · ')
}

const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1)
