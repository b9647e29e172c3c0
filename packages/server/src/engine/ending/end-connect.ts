import type { AuthNeededEvent, AuthResultEvent } from '@holdpoint/core/internal'
import type { DeliveryKernel } from '../delivery/delivery-kernel.ts'
import { putQuestion } from '../records/question-records.ts'
import type { Transaction } from '../records/transaction.ts'
import { envelope } from '../state/question-steps.ts'
import type { QuestionOutcome, QuestionRow } from '../state/rows.ts'
import { cancelRunIn } from './cancel.ts'
import { expired } from './expire.ts'

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

/** Ends a `connect` question without its accounts. */
export function endConnect(
  tx: Transaction,
  row: QuestionRow,
  status: 'expired' | 'cancelled' | 'superseded',
  reason: string,
): QuestionRow {
  // A card shows why by the status: "superseded" must not look like a task that was stopped.
  const event = authResultEvent(row, false, tx.now, status === 'superseded' ? status : reason)
  const outcome: QuestionOutcome = { type: 'refused', outcome: status, reason }
  const ended: QuestionRow = { ...row, status, response: event, outcome, endedAt: tx.now }
  putQuestion(tx, ended)
  tx.event(event)
  return ended
}

/** The accounts were not connected in time. The run cannot continue without them, so it is cancelled too. */
export async function expireConnectIn(kernel: DeliveryKernel, tx: Transaction, row: QuestionRow): Promise<QuestionRow> {
  const ended = endConnect(tx, row, 'expired', 'expired')
  await cancelRunIn(kernel, tx, row.sessionId, row.runId, 'auth_expired', row.id)
  tx.committed(() => expired(kernel, tx.partition, row.status, ended))
  return ended
}
