import type {
  AuthNeededEvent,
  AuthResultEvent,
  CloseReason,
  InteractionClosedEvent,
  InteractionResponseEvent,
} from '@holdpoint/core/internal'
import { redactInput } from '@holdpoint/core/internal/forms'
import type { Answered, QuestionRow } from './rows.ts'

/** The events that clients receive when a question changes. */

export const iso = (ms: number) => new Date(ms).toISOString()

export function envelope(row: QuestionRow, now: number) {
  return { timestamp: iso(now), sessionId: row.sessionId, runId: row.runId, interactionId: row.id }
}

export function responseEvent(row: QuestionRow, answered: Answered, late = false): InteractionResponseEvent {
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
    ...(answered.coveredBy !== undefined && { coveredBy: answered.coveredBy }),
    respondedBy: answered.by,
    ...(late && { late }),
  }
}

/** The part of an input that all users may see: for a secret, only that one exists. */
export function shownInput(row: QuestionRow, input: Record<string, unknown>): Record<string, unknown> {
  const schema = row.request.type === 'interaction_request' ? row.request.inputSchema : undefined
  return schema ? redactInput(schema, input) : {}
}

export function closedEvent(
  row: QuestionRow,
  reason: CloseReason,
  now: number,
  message?: string,
): InteractionClosedEvent {
  return { type: 'interaction_closed', ...envelope(row, now), reason, ...(message !== undefined && { message }) }
}

/** The event that ends connecting. */
export function authResultEvent(row: QuestionRow, success: boolean, now: number, reason?: string): AuthResultEvent {
  const { integrations } = row.request as AuthNeededEvent
  return {
    type: 'auth_result',
    ...envelope(row, now),
    success,
    integrations,
    ...(reason !== undefined && { reason }),
  }
}
