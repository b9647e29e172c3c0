import type { ToolKernel } from './tool-kernel.ts'

/** Runs a suspended call again, if this process has its tool. Resolves when all of it is done: a platform must keep the process alive for that long. */
export async function resumeNow(kernel: ToolKernel, partition: string, call: string): Promise<void> {
  const resumed = await kernel.tools.resume(partition, call, 'resumed')
  if (!resumed) return
  await resumed.settled
  if (kernel.settings.waiting !== 'suspend') return
  await kernel.outbox.sweep()
  await kernel.outbox.settled()
}
