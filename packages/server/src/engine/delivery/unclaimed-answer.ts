import { reportClosed } from '../kernel/report.ts'
import { randomId } from '../records/keys.ts'
import { putQuestion } from '../records/question-records.ts'
import type { Transaction } from '../records/transaction.ts'
import { conclude } from '../state/question-steps.ts'
import type { QuestionRow } from '../state/rows.ts'
import type { DeliveryKernel } from './delivery-kernel.ts'
import { deliveryBase, followUp } from './outcome-delivery.ts'

/** An answer without a waiter leaves as a follow-up, and is consumed by it. */
export function deliverUnclaimedAnswer(kernel: DeliveryKernel, tx: Transaction, row: QuestionRow): QuestionRow {
  if (!row.answer) return row
  const deliveryId = randomId(kernel.environment)
  const ended = conclude({ ...row, delivery: deliveryId }, { type: 'follow_up' }, tx.now)
  putQuestion(tx, ended)
  const content = followUp(row, row.answer, 'orphaned')
  tx.put(
    'delivery',
    deliveryId,
    { ...deliveryBase(row, deliveryId, tx.now), ...content, type: 'follow_up' },
    { due: tx.now },
  )
  tx.committed(() => {
    reportClosed(kernel, ended, tx.now)
    kernel.outbox.runSoon()
  })
  return ended
}
