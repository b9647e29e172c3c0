import { errorFacts } from '../../base/logger.ts'
import { isCancelled } from '../state/run-steps.ts'
import type { CallKernel } from './call-kernel.ts'

/**
 * Aborts running tools whose run was cancelled elsewhere, or whose call another process took over. Their next write
 * would be rejected anyway; the signal lets them stop earlier.
 */
export class OwnershipWatch {
  private readonly kernel: CallKernel
  private readonly checking = new Map<string, 'once' | 'again'>()

  constructor(kernel: CallKernel) {
    this.kernel = kernel
  }

  check(partition: string): void {
    if (this.checking.has(partition)) {
      this.checking.set(partition, 'again')
      return
    }
    void this.compareUntilCurrent(partition)
  }

  checkAll(): void {
    for (const partition of this.kernel.calls.partitions()) this.check(partition)
  }

  private async compareUntilCurrent(partition: string): Promise<void> {
    do {
      this.checking.set(partition, 'once')
      await this.compare(partition).catch((error) => {
        this.kernel.log.warn('running calls could not be looked up', errorFacts(error))
      })
    } while (this.checking.get(partition) === 'again')
    this.checking.delete(partition)
  }

  private async compare(partition: string): Promise<void> {
    const { kernel } = this
    // For a call that waits, its waiter detects the same.
    const busy = this.kernel.calls.in(partition).filter(({ waiting }) => waiting === 0)
    if (busy.length === 0) return
    const { rows } = await this.kernel.store.load(
      busy.flatMap(({ id, identity }) => [
        { partition, kind: 'idle', id: identity.runId },
        { partition, kind: 'call', id },
      ]),
    )
    for (const [index, execution] of busy.entries()) {
      const [idle, stored] = rows.slice(index * 2, index * 2 + 2)
      // A cancelled run is not among those that wait.
      const run = idle ? kernel.rows.read('idle', idle) : null
      if (run && isCancelled(run)) execution.cancel(run.reason)
      const call = stored ? kernel.rows.read('call', stored) : null
      if (stored && !call) continue
      if (execution.fence > 0 && call?.fence !== execution.fence) execution.lose()
    }
  }
}
