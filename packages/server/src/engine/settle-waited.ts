import type { Entry } from './calls.ts'
import { completeIn } from './conclude.ts'
import type { Core } from './core.ts'
import type { Answered, QuestionRow } from './rows.ts'
import { settleIn } from './settle.ts'
import type { Tx } from './tx.ts'
import type { Waiter } from './waiter.ts'

/**
 * Settles a question, and concludes it in the same commit where that loses nothing: the code that waits is in this
 * process, still owns its call, and none of the host's code has a say in what the answer means. One disk flush then lies
 * between the person and the code, and still nobody goes on before the winner is recorded. Returns whom it will tell.
 *
 * A handler must know that its answer is the one that counts before it runs, so its outcome is a second commit. So is
 * that of a waiter in another process: only there is known whether it lives to take what it is given.
 */
export function settleWaitedIn(
  core: Core,
  tx: Tx,
  waiting: { waiter: Waiter; rows: Entry } | undefined,
  row: QuestionRow,
  answered: Answered,
): Waiter | undefined {
  const settled = settleIn(core, tx, row, answered)
  if (!waiting) return undefined
  const { waiter, rows } = waiting
  const { execution } = waiter
  const outcome = waiter.plain(answered, settled)
  const concluded = outcome && completeIn(core, tx, execution, rows, settled, outcome)
  if (!concluded) return undefined
  core.waiters.hold(waiter)
  tx.committed(() => core.waiters.tell(waiter, concluded, execution.fence))
  return waiter
}
