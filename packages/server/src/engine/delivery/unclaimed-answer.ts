import { type Core, reportClosed } from '../kernel/kernel.ts'
import { randomId } from '../records/keys.ts'
import { putQuestion } from '../records/question-records.ts'
import type { Tx } from '../records/transaction.ts'
import { conclude } from '../state/question-steps.ts'
import type { QuestionRow } from '../state/rows.ts'
import { deliveryBase, followUp } from './outcome-delivery.ts'

/** An answer that no code waits for any more leaves as a follow-up, and is used up by that. */
export function orphanIn(core: Core, tx: Tx, row: QuestionRow): QuestionRow {
  if (!row.answer) return row
  const deliveryId = randomId(core.environment)
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
    reportClosed(core, ended, tx.now)
    core.outbox.kick()
  })
  return ended
}
