import { escapeInvisible, say } from '@holdpoint/core/internal'
import type { Messages } from '@holdpoint/core/messages'
import type { Principal } from '../base/principal.ts'
import type { InteractionRecord } from '../engine/api/interactions.ts'

/** Returns the outcome of an interaction in the words of the cards, or undefined while it can be answered. */
export function outcomeText(
  { status, kind, answer, request }: InteractionRecord,
  viewer: Principal,
  messages: Messages,
): string | undefined {
  switch (status) {
    case 'open':
    case 'deferred':
      return undefined
    case 'expired':
    case 'timing_out':
      return messages.expired
    case 'cancelled':
      return kind === 'connect' ? messages.authFailed : messages.cancelled
    case 'superseded':
      return messages.superseded
    case 'failed':
      return messages.failed
  }
  const { action, by } = answer ?? {}
  if (kind === 'connect') return action === 'submit' ? messages.allConnected : messages.authFailed
  const total = request.type === 'interaction_request' ? (request.diff ?? []).flatMap(({ hunks }) => hunks).length : 0
  const approval = { edited: false, accepted: total, total }
  if (by?.userId === viewer.userId) {
    if (action === 'approve') return say(messages.youApproved, approval)
    if (action === 'deny') return messages.youDenied
    if (action === 'decline') return messages.youDeclined
    return action === 'cancel' ? messages.youDismissed : messages.youSubmitted
  }
  const named = by?.name === undefined ? {} : { name: escapeInvisible(by.name) }
  if (action === 'approve') return say(messages.theyApproved, { ...named, ...approval })
  return say(action === 'deny' ? messages.theyDenied : messages.theyAnswered, named)
}
