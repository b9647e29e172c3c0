import type { AuthNeededEvent, AuthResultEvent } from '@holdpoint/core/protocol'
import { cancelRunIn } from './cancel.ts'
import type { Core } from './core.ts'
import { envelope } from './decide/transition.ts'
import { expired } from './expire.ts'
import { putQuestion } from './place.ts'
import type { QuestionOutcome, QuestionRow } from './rows.ts'
import type { Tx } from './tx.ts'

/** What everybody is told when connecting is over. */
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
  tx: Tx,
  row: QuestionRow,
  status: 'expired' | 'cancelled' | 'superseded',
  reason: string,
): QuestionRow {
  const event = authResultEvent(row, false, tx.now, reason)
  const outcome: QuestionOutcome = { type: 'refused', outcome: status, reason }
  const ended: QuestionRow = { ...row, status, response: event, outcome, endedAt: tx.now }
  putQuestion(tx, ended)
  tx.event(event)
  return ended
}

/** Nobody connected in time. The run cannot go on without the account, so it is cancelled with it. */
export async function expireConnectIn(core: Core, tx: Tx, row: QuestionRow): Promise<QuestionRow> {
  const ended = endConnect(tx, row, 'expired', 'expired')
  await cancelRunIn(core, tx, row.sessionId, row.runId, 'auth_expired', row.id)
  tx.committed(() => expired(core, tx.partition, row.status, ended))
  return ended
}
