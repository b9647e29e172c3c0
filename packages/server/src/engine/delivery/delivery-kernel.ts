import type { CallKernel } from '../calls/call-kernel.ts'
import type { Outbox } from './outbox.ts'

/** The kernel with the outbox. */
export interface DeliveryKernel extends CallKernel {
  readonly outbox: Outbox
}
