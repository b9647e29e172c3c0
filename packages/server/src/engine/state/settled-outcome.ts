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
      return kind === 'connect' && answer.action === 'submit' ? 'connected' : outcomes[answer.action]
    default:
      return status
  }
}

const outcomes: Record<Answered['action'], SettledOutcome> = {
  approve: 'approved',
  deny: 'denied',
  submit: 'submitted',
  decline: 'declined',
  cancel: 'cancelled',
}
