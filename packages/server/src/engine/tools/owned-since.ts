import type { Execution } from '../calls/execution.ts'
import type { ToolKernel } from './tool-kernel.ts'

/**
 * Returns whether a call that was claimed still belongs to this execution. `from` is when the lease was last checked:
 * `alive` leaves at least half of it. If the claim took longer, another node may have taken the call, so it is read again
 * under a lease that is valid from now on.
 */
export async function isOwnedSince(kernel: ToolKernel, execution: Execution, from: number): Promise<boolean> {
  const { partition, id, fence, claimedAt = Number.POSITIVE_INFINITY } = execution
  if (claimedAt - from < kernel.settings.leaseMs / 2) return true
  await kernel.heartbeat.alive()
  const [call] = await kernel.transact(partition, (tx) => tx.read(['call', id]))
  return call?.fence === fence
}
