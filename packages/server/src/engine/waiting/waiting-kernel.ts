import type { DeliveryKernel } from '../delivery/delivery-kernel.ts'
import type { Presence } from './presence.ts'
import type { Waiters } from './waiters.ts'

/** The kernel with the promises that wait in this process, and who is present. */
export interface WaitingKernel extends DeliveryKernel {
  readonly waiters: Waiters
  readonly presence: Presence
}
