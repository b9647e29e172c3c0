import type { ApprovalScope } from '@holdpoint/core'
import type { AnswerAction, ErrorCode, Responder } from '@holdpoint/core/internal'
import { kinds } from './kinds.ts'
import type { QuestionRow } from './rows.ts'

/** The decision about an answer. `settle` and `late` answers are then validated and committed. */
export type Verdict =
  | { type: 'settle' }
  | { type: 'late' }
  /** The winner again: its acknowledgement was lost. */
  | { type: 'replay' }
  /** The deadline passed and was not handled yet: expire it, then check again. */
  | { type: 'expire_first' }
  | { type: 'refuse'; code: ErrorCode; respondedBy?: Responder; respondedAt?: number; retryAfterMs?: number }

const SETTLING_RETRY_MS = 500

/** Decides by state alone, whatever the answer says. Only its own author can repeat an answer. */
export function judgeState(
  row: QuestionRow,
  { answerId, userId, digest }: { answerId: string; userId: string; digest: string },
  now: number,
): Verdict {
  if (row.answer?.answerId === answerId && row.answer.by.userId === userId) {
    return row.answer.digest === digest ? { type: 'replay' } : { type: 'refuse', code: 'answer_id_reused' }
  }
  switch (row.status) {
    case 'open':
      return now >= row.expiresAt ? { type: 'expire_first' } : { type: 'settle' }
    case 'deferred':
      return { type: 'late' }
    case 'timing_out':
      return { type: 'refuse', code: 'settling', retryAfterMs: SETTLING_RETRY_MS }
    case 'expired':
    case 'cancelled':
    case 'superseded':
      return { type: 'refuse', code: row.status }
    case 'answered':
    case 'answered_late':
    case 'failed':
      return {
        type: 'refuse',
        code: 'already_answered',
        ...(row.answer && { respondedBy: row.answer.by, respondedAt: row.answer.at }),
      }
  }
}

/** Whether this kind of question can be answered this way at all. */
export function judgeAction(
  row: QuestionRow,
  action: AnswerAction,
  scope: ApprovalScope | undefined,
): ErrorCode | null {
  if (!kinds[row.kind].actions.includes(action)) return 'action_not_allowed'
  if (scope === undefined) return null
  const offered = row.request.type === 'interaction_request' ? row.request.approvalScopes : undefined
  return action === 'approve' && offered?.includes(scope) ? null : 'scope_not_offered'
}
