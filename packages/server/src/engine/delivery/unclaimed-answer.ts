import { type Core, reportClosed } from './core.ts'
import { conclude } from './decide/transition.ts'
import { deliveryBase, followUp } from './hand-over.ts'
import { randomId } from './names.ts'
import { putQuestion } from './place.ts'
import type { QuestionRow } from './rows.ts'
import type { Tx } from './tx.ts'

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
