import type { QuestionRow } from '../state/rows.ts'
import type { Core } from './kernel.ts'

/** The tool call that asked is suspended: run it again, on this node if it has the tool, without making anybody wait. */
export function resumeSoon(core: Core, partition: string, row: QuestionRow): void {
  core.background('resuming a tool', resumeNow(core, partition, row.call))
}

/** Resolves when all of it is done: a platform must keep the process alive for that long. */
export async function resumeNow(core: Core, partition: string, call: string): Promise<void> {
  const resumed = await core.tools.resume(partition, call, 'resumed')
  if (!resumed) return
  await resumed.settled
  if (core.settings.waiting !== 'suspend') return
  await core.outbox.sweep()
  await core.outbox.settled()
}
