import type { Kernel } from '../kernel/kernel.ts'
import { putQuestion, readQuestion } from '../records/question-records.ts'
import { isLive } from '../state/question.ts'

/**
 * Records that no process waits for this question. It stays open, and an answer waits for a re-run for a while before
 * it leaves as a follow-up.
 */
export async function leaveQuestion(kernel: Kernel, partition: string, id: string): Promise<void> {
  const lookAgainAt = await kernel.transact(partition, async (tx) => {
    const row = await readQuestion(tx, id)
    if (!row || !isLive(row) || row.waiter === 'none') return undefined
    const { owner: _gone, ...rest } = row
    const at = row.status === 'timing_out' ? tx.now : tx.now + kernel.settings.orphanAfterMs
    const again = row.status === 'answered' || row.status === 'timing_out' ? { lookAgainAt: at } : {}
    putQuestion(tx, { ...rest, waiter: 'none', ...again })
    return again.lookAgainAt === undefined ? undefined : at - tx.now
  })
  if (lookAgainAt !== undefined) kernel.scheduler.runWithin('questions', lookAgainAt)
}
