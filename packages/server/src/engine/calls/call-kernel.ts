import type { Kernel } from '../kernel/kernel.ts'
import type { Heartbeat } from './heartbeat.ts'
import type { OwnershipWatch } from './ownership-watch.ts'
import type { RunningCalls } from './running-calls.ts'

/** The kernel with the services for owning tool calls. */
export interface CallKernel extends Kernel {
  readonly calls: RunningCalls
  readonly ownershipWatch: OwnershipWatch
  readonly heartbeat: Heartbeat
}
