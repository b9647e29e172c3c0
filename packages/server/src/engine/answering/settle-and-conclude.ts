import type { Entry } from '../calls/claim-call.ts'
import { completeIn } from '../ending/conclude.ts'
import { putQuestion } from '../records/question-records.ts'
import type { Transaction } from '../records/transaction.ts'
import type { Answered, QuestionRow } from '../state/rows.ts'
import type { Waiter } from '../waiting/waiter.ts'
import type { WaitingKernel } from '../waiting/waiting-kernel.ts'
import { answerIn } from './settle.ts'

/**
 * Settles a question and concludes it in the same commit if this is safe: the waiting code is in this process, still
 * owns its call, and no host code decides about the answer. Then one disk flush separates the person and the code, and
 * the code still continues only after the winner is recorded. Returns the waiter to notify.
 *
 * A handler must know that its answer is the winner before it runs, so its outcome is a second commit. So is that of a
 * waiter in another process, because only that process knows whether it is alive.
 */
export function settleWaitedIn(
  kernel: WaitingKernel,
  tx: Transaction,
  waiting: { waiter: Waiter; rows: Entry } | undefined,
  row: QuestionRow,
  answered: Answered,
): Waiter | undefined {
  const settled = answerIn(kernel, tx, row, answered)
  const outcome = waiting?.waiter.plain(answered, settled)
  const concluded =
    waiting && outcome && completeIn(kernel, tx, waiting.waiter.execution, waiting.rows, settled, outcome)
  if (!concluded) {
    putQuestion(tx, settled)
    return undefined
  }
  const { waiter } = waiting
  const { execution } = waiter
  kernel.waiters.hold(waiter)
  tx.committed(() => {
    kernel.calls.keepLatestRows(execution, tx.rowsAfterCommit('ended', row.id))
    kernel.waiters.notify(waiter, concluded, execution.fence)
  })
  return waiter
}
