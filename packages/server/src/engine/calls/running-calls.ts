import { SmallMap } from '../../base/small-map.ts'
import { StoreSubscription } from '../kernel/store-subscription.ts'
import type { Written } from '../records/touched-rows.ts'
import type { KnownRows } from '../records/transaction.ts'
import { isCancelled } from '../state/run-steps.ts'
import type { CallKernel } from './call-kernel.ts'
import type { Execution } from './execution.ts'

/**
 * The executions of this process that are at work, the latest one of each call. One without an end is at work while a
 * question waits or an effect runs: the next request or another process may continue its call.
 */
export class RunningCalls {
  private readonly kernel: CallKernel
  private readonly listening: StoreSubscription
  private readonly latest = new Map<string, SmallMap<string, Execution>>()
  private count = 0

  constructor(kernel: CallKernel) {
    this.kernel = kernel
    this.listening = new StoreSubscription(
      kernel,
      'calls',
      () => this.count > 0,
      (partitions) => {
        for (const partition of partitions) {
          for (const execution of this.in(partition)) execution.latestRows = undefined
          kernel.ownershipWatch.check(partition)
        }
      },
    )
  }

  get size(): number {
    return this.count
  }

  in(partition: string): readonly Execution[] {
    return [...(this.latest.get(partition)?.values() ?? [])]
  }

  partitions(): readonly string[] {
    return [...this.latest.keys()]
  }

  /** The execution owns its call from now on; an older one of the same call in this process ends. */
  claimed(execution: Execution, fence: number): void {
    execution.fence = fence
    const before = this.latest.get(execution.partition)?.get(execution.id)
    if (before === execution) return
    before?.lose()
    if (execution.hasEnd || !execution.isIdle) this.set(execution)
    else if (before) this.unregister(before)
  }

  /** Registers an execution that is running. */
  register(execution: Execution): void {
    if (!this.latest.get(execution.partition)?.get(execution.id)) this.set(execution)
  }

  /** Removes an execution that does nothing now and reports no end. */
  unregisterIdle(execution: Execution): void {
    if (!execution.hasEnd && execution.isIdle) this.unregister(execution)
  }

  unregister(execution: Execution): void {
    const calls = this.latest.get(execution.partition)
    if (calls?.get(execution.id) !== execution) return
    calls.delete(execution.id)
    if (calls.size === 0) this.latest.delete(execution.partition)
    if (--this.count === 0) this.listening.stopWhenUnused()
  }

  /** Keeps the rows that a commit of this process left, which the end of this call needs. */
  keepLatestRows(execution: Execution, known: KnownRows | undefined): void {
    if (!execution.hasEnd || !known) return
    execution.latestRows = { known, at: this.kernel.environment.now() }
  }

  /** Removes the rows that this process wrote itself, so that its calls need not read them. */
  onOwnCommit(partition: string, written: readonly Written[]): void {
    const calls = this.latest.get(partition)
    if (!calls) return
    for (const { kind, id, row } of written) {
      if (kind === 'call') {
        const execution = calls.get(id)
        if (!execution) continue
        execution.latestRows = undefined
        if (execution.fence > 0 && row?.fence !== execution.fence) execution.lose()
      } else if (kind === 'run' || kind === 'idle') {
        for (const execution of calls.values()) {
          if (execution.identity.runId !== id) continue
          execution.latestRows = undefined
          if (kind === 'idle' && row && isCancelled(row)) execution.cancel(row.reason)
        }
      }
    }
  }

  close(): void {
    this.listening.end()
  }

  private set(execution: Execution): void {
    let calls = this.latest.get(execution.partition)
    if (!calls) {
      calls = new SmallMap()
      this.latest.set(execution.partition, calls)
    }
    if (!calls.get(execution.id)) this.count++
    calls.set(execution.id, execution)
    this.listening.start()
  }
}
