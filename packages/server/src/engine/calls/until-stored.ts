import type { Kernel } from '../kernel/kernel.ts'
import { retryUntilStored } from '../kernel/retry-until-stored.ts'
import type { Execution } from './execution.ts'

/**
 * Repeats a step of a call until the store is available again. A call that has not begun has nothing to lose: its caller
 * receives the error.
 */
export function untilStored<T>(kernel: Kernel, execution: Execution, step: () => Promise<T>): Promise<T> {
  return execution.unbegun ? step() : retryUntilStored(kernel, step)
}
