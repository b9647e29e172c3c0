import { kinds } from './kinds.ts'
import type { Answered, QuestionRow } from './rows.ts'

/** How an interaction ended. */
export type SettledOutcome =
  | 'approved'
  | 'denied'
  | 'submitted'
  | 'declined'
  | 'connected'
  | 'expired'
  | 'cancelled'
  | 'superseded'
  | 'failed'

/** How a question ended for the person; undefined while it can be answered or its time-out is being handled. */
export function settledOutcome({ kind, status, answer }: QuestionRow): SettledOutcome | undefined {
  switch (status) {
    case 'open':
    case 'deferred':
    case 'timing_out':
      return undefined
    case 'answered':
    case 'answered_late':
      if (!answer) return undefined
      return answer.action === 'submit' ? kinds[kind].submitted : outcomes[answer.action]
    default:
      return status
  }
}

const outcomes: Record<Exclude<Answered['action'], 'submit'>, SettledOutcome> = {
  approve: 'approved',
  deny: 'denied',
  decline: 'declined',
  cancel: 'cancelled',
}
