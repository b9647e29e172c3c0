import type { AuthResultEvent, CloseReason, InteractionClosedEvent } from '@holdpoint/core/internal'
import { kinds, type Unanswered } from './kinds.ts'
import { closedEvent, envelope, iso, responseEvent } from './question-events.ts'
import type { Answered, QuestionOutcome, QuestionRow } from './rows.ts'

/** Steps of a question's state machine: each returns the next row and the event for clients. */

/** Answered in time; the tool still has to handle it. `lookAgainAt`: when to check again, if no code waits. */
export function answer(row: QuestionRow, answered: Answered, lookAgainAt?: number) {
  const event = kinds[row.kind].answered(row, answered)
  const { lookAgainAt: _old, ...rest } = row
  const next: QuestionRow = {
    ...rest,
    status: 'answered',
    answer: answered,
    response: event,
    ...(lookAgainAt !== undefined && { lookAgainAt }),
  }
  return { row: next, event }
}

/** Answered after the tool had continued. */
export function answerLate(row: QuestionRow, answered: Answered, delivery: string) {
  const event = responseEvent(row, answered, true)
  const next: QuestionRow = {
    ...row,
    status: 'answered_late',
    answer: answered,
    response: event,
    outcome: { type: 'follow_up' },
    endedAt: answered.at,
    delivery,
  }
  return { row: next, event }
}

export function close(
  row: QuestionRow,
  reason: CloseReason,
  outcome: QuestionOutcome,
  now: number,
  message?: string,
): { row: QuestionRow; event: InteractionClosedEvent } {
  const event = closedEvent(row, reason, now, message)
  return { row: { ...row, status: reason, closed: event, outcome, endedAt: now }, event }
}

/** Ends a question without an answer, because none arrived in time or none is needed. */
export function endUnanswered(
  row: QuestionRow,
  status: Unanswered,
  now: number,
  reason?: string,
): { row: QuestionRow; event: InteractionClosedEvent | AuthResultEvent } {
  const ended = kinds[row.kind].unanswered(row, status, now, reason)
  const outcome: QuestionOutcome = { type: 'refused', outcome: status, ...(reason !== undefined && { reason }) }
  return {
    row: { ...row, ...ended, status, outcome, endedAt: now },
    event: 'closed' in ended ? ended.closed : ended.response,
  }
}

/** The tool dealt with its answer. */
export function conclude(row: QuestionRow, outcome: QuestionOutcome, now: number): QuestionRow {
  const { lookAgainAt: _done, ...rest } = row
  return { ...rest, outcome, endedAt: now }
}

/** The deadline passed; the tool's `onTimeout` has until `lookAgainAt` to decide what that means. */
export function timeOut(row: QuestionRow, lookAgainAt: number): QuestionRow {
  return { ...row, status: 'timing_out', lookAgainAt }
}

/** The tool continues and the question stays. */
export function defer(row: QuestionRow, now: number) {
  const { lookAgainAt: _old, ...rest } = row
  const event = { type: 'interaction_updated' as const, ...envelope(row, now), deferred: true }
  return { row: { ...rest, status: 'deferred' as const, waiter: 'none' as const }, event }
}

export function extend(row: QuestionRow, expiresAt: number, now: number) {
  const event = { type: 'interaction_updated' as const, ...envelope(row, now), expiresAt: iso(expiresAt) }
  return { row: { ...row, expiresAt }, event }
}

/** The arguments that a person edited, as the tool's schema read them: what runs is what the record shows. */
export function recordArgs(row: QuestionRow, answered: Answered, args: unknown, now: number) {
  const event = { type: 'interaction_updated' as const, ...envelope(row, now), args }
  const next: QuestionRow = {
    ...row,
    answer: { ...answered, args },
    ...(row.response?.type === 'interaction_response' && { response: { ...row.response, args } }),
  }
  return { row: next, event }
}
