import type { Interaction } from '@holdpoint/core'
import { say } from '@holdpoint/core/internal'
import type { Messages } from '@holdpoint/core/messages'
import { nameText } from './escape.ts'
import type { CardState } from './outcome-text.ts'
import { approvalOf, isElsewhere, isOwn, type Reader, ruleText } from './outcome-text.ts'
import { questionOf } from './question-text.ts'
import { scopeText } from './scope-text.ts'

/** The reader of a receipt, the time of the answer, and the names of tools. */
export interface ReceiptReader extends Reader {
  readonly time: string | undefined
  readonly toolName: string
}

/**
 * Returns one line with what was approved or denied, by whom, when, and for how long: "Approved: Delete 3 files · you ·
 * 9:17 · just this time". Undefined for other outcomes, and for questions whose button had no words of its own.
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
  const covered = interaction.response?.coveredBy !== undefined
  const what = covered
    ? ruleText(interaction, messages, userId, label)
    : answer?.action === 'approve'
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
  return [what, covered ? '' : who, time?.replace(/\s/g, '\u00a0'), lowerFirst(scope)].filter(Boolean).join(' · ')
}

const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1)
