import { StoreSubscription } from '../kernel/store-subscription.ts'
import type { CallKernel } from './call-kernel.ts'
import type { Execution } from './execution.ts'

/** The executions of this process that are at work, the latest one of each call. */
export class RunningCalls {
  private readonly listening: StoreSubscription
  private readonly latest = new Map<string, Map<string, Execution>>()
  private count = 0

  constructor(kernel: CallKernel) {
    this.listening = new StoreSubscription(
      kernel,
      'calls',
      () => this.count > 0,
      (partitions) => {
        for (const partition of partitions) kernel.ownershipWatch.check(partition)
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
  took(execution: Execution, fence: number): void {
    execution.fence = fence
    const before = this.latest.get(execution.partition)?.get(execution.id)
    if (before === execution) return
    before?.lose()
    this.set(execution)
  }

  /** It is at work again, or still. */
  hold(execution: Execution): void {
    if (!this.latest.get(execution.partition)?.has(execution.id)) this.set(execution)
  }

  left(execution: Execution): void {
    const calls = this.latest.get(execution.partition)
    if (calls?.get(execution.id) !== execution) return
    calls.delete(execution.id)
    if (calls.size === 0) this.latest.delete(execution.partition)
    if (--this.count === 0) this.listening.rest()
  }

  close(): void {
    this.listening.end()
  }

  private set(execution: Execution): void {
    let calls = this.latest.get(execution.partition)
    if (!calls) {
      calls = new Map()
      this.latest.set(execution.partition, calls)
    }
    if (!calls.has(execution.id)) this.count++
    calls.set(execution.id, execution)
    this.listening.begin()
  }
}
