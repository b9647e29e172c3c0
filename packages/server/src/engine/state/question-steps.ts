import {
  type CloseReason,
  type InteractionClosedEvent,
  type InteractionResponseEvent,
  redactInput,
} from '@holdpoint/core/internal'
import type { Answered, QuestionOutcome, QuestionRow } from './rows.ts'

/** Steps of a question's state machine: from a row to the next one, and the event that says so. Nothing else. */

export const iso = (ms: number) => new Date(ms).toISOString()

export function envelope(row: QuestionRow, now: number) {
  return { timestamp: iso(now), sessionId: row.sessionId, runId: row.runId, interactionId: row.id }
}

/** Answered in time; the tool still has to handle it. `lookAgainAt`: when to check again, if no code waits. */
export function answer(row: QuestionRow, answered: Answered, lookAgainAt?: number) {
  const event = responseEvent(row, answered, false)
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
  const event: InteractionClosedEvent = {
    type: 'interaction_closed',
    ...envelope(row, now),
    reason,
    ...(message !== undefined && { message }),
  }
  return { row: { ...row, status: reason, closed: event, outcome, endedAt: now }, event }
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
  return { row: { ...rest, status: 'deferred' as const, waiter: 'nobody' as const }, event }
}

export function extend(row: QuestionRow, expiresAt: number, now: number) {
  const event = { type: 'interaction_updated' as const, ...envelope(row, now), expiresAt: iso(expiresAt) }
  return { row: { ...row, expiresAt }, event }
}

function responseEvent(row: QuestionRow, answered: Answered, late: boolean): InteractionResponseEvent {
  return {
    type: 'interaction_response',
    ...envelope(row, answered.at),
    toolCallId: row.toolCallId,
    action: answered.action,
    ...(answered.approvalScope && { approvalScope: answered.approvalScope }),
    ...(answered.input && { input: shownInput(row, answered.input) }),
    ...(answered.args !== undefined && { args: answered.args }),
    ...(answered.diffDecisions && { diffDecisions: answered.diffDecisions }),
    ...(answered.reason !== undefined && { reason: answered.reason }),
    respondedBy: answered.by,
    ...(late && { late }),
  }
}

/** The part of an input that all users may see: for a secret, only that one exists. */
export function shownInput(row: QuestionRow, input: Record<string, unknown>): Record<string, unknown> {
  const schema = row.request.type === 'interaction_request' ? row.request.inputSchema : undefined
  return schema ? redactInput(schema, input) : {}
}
