import type { Kernel } from '../kernel/kernel.ts'
import { randomId } from '../records/keys.ts'
import type { Transaction } from '../records/transaction.ts'
import type { CallResult, DeliveryRow, QuestionOutcome, QuestionRow } from '../state/rows.ts'
import { answerAsText } from './answer-as-text.ts'

/**
 * The outcome of a bare call's question goes to the promise that waits for it. If the process dies before that, the
 * outcome leaves through the outbox: a delivery is committed with the outcome, held back for as long as the process may
 * live, and dropped once the promise has the outcome.
 *
 * A registered call needs none for its questions: it is run again, and its own result has a delivery.
 */
export function deliverOutcome(
  kernel: Kernel,
  tx: Transaction,
  row: QuestionRow,
  outcome: QuestionOutcome,
  detached: boolean,
): QuestionRow {
  const content = row.registered ? null : contentOf(row, outcome)
  if (!content) return row
  const deliveryId = randomId(kernel.environment)
  const due = detached ? tx.now : tx.now + kernel.settings.leaseMs
  tx.put('delivery', deliveryId, { ...deliveryBase(row, deliveryId, tx.now), ...content } as DeliveryRow, { due })
  return { ...row, delivery: deliveryId }
}

export function deliveryBase(row: QuestionRow, deliveryId: string, at: number) {
  const { tenant, sessionId, userId, runId, toolCallId, toolName, traceparent } = row
  const base = { deliveryId, tenant, sessionId, userId, runId, toolCallId, toolName, at, attempts: 0 }
  return { ...base, ...(traceparent !== undefined && { traceparent }) }
}

function contentOf(row: QuestionRow, outcome: QuestionOutcome) {
  if (!row.shortcut) return { type: 'tool_result', interactionId: row.id, result: resultOf(outcome) }
  return row.answer ? followUp(row, row.answer, 'orphaned') : null
}

export function followUp(
  row: QuestionRow,
  answer: NonNullable<QuestionRow['answer']>,
  reason: 'late_answer' | 'orphaned',
) {
  return { type: 'follow_up', reason, interactionId: row.id, answer, message: answerAsText(row, answer) }
}

/** Returns the result of a tool call that consists of this question only. */
function resultOf(outcome: QuestionOutcome): CallResult {
  switch (outcome.type) {
    case 'complete':
      return { status: 'completed', result: outcome.value }
    case 'pending':
      return { status: 'completed', result: pendingResult(outcome) }
    case 'refused':
      return {
        status: 'refused',
        outcome: outcome.outcome,
        ...(outcome.reason !== undefined && { reason: outcome.reason }),
      }
    default:
      return { status: 'error', code: 'handler_failed', message: 'The handler of the answer failed.' }
  }
}

export function pendingResult({ message, queued }: { message: string; queued: boolean }) {
  return { pending: true as const, queued, message }
}
