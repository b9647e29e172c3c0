import type { QuestionRow } from '../state/rows.ts'
import type { Kernel } from './kernel.ts'

/** The tool call that asked is suspended: run it again, on this node if it has the tool, without making anybody wait. */
export function resumeSoon(kernel: Kernel, partition: string, row: QuestionRow): void {
  kernel.background('resuming a tool', resumeNow(kernel, partition, row.call))
}

/** Resolves when all of it is done: a platform must keep the process alive for that long. */
export async function resumeNow(kernel: Kernel, partition: string, call: string): Promise<void> {
  const resumed = await kernel.tools.resume(partition, call, 'resumed')
  if (!resumed) return
  await resumed.settled
  if (kernel.settings.waiting !== 'suspend') return
  await kernel.outbox.sweep()
  await kernel.outbox.settled()
}
