import { isLive } from './question.ts'
import type { QuestionRow } from './rows.ts'

/** The action for a question whose time has come. */
export type DeadlineVerdict =
  | 'nothing'
  /** Over: it was not answered. */
  | 'expire'
  /** Its tool decides; it gets a while for that. */
  | 'time_out'
  /** Its tool is still at it, or will be again. */
  | 'postpone'
  /** Answered, but no execution claimed the answer: deliver it as a follow-up. */
  | 'orphan'

export function judgeDeadline(row: QuestionRow, now: number): DeadlineVerdict {
  if (!isLive(row)) return 'nothing'
  if (row.status === 'open') {
    if (now < row.expiresAt) return 'nothing'
    return row.onTimeout && row.waiter !== 'none' ? 'time_out' : 'expire'
  }
  if (row.lookAgainAt === undefined || now < row.lookAgainAt) return 'nothing'
  if (row.waiter !== 'none') return 'postpone'
  if (row.status === 'timing_out') return 'expire'
  return row.status === 'answered' ? 'orphan' : 'nothing'
}
