import type { LifecycleEvent } from '../api/lifecycle-event.ts'

/** How often each step happened in this process. */
export type Counts = Partial<Record<LifecycleEvent['type'], number>>

export class Counters {
  private readonly counts = new Map<LifecycleEvent['type'], number>()

  count({ type }: LifecycleEvent): void {
    this.counts.set(type, (this.counts.get(type) ?? 0) + 1)
  }

  get all(): Counts {
    return Object.fromEntries(this.counts)
  }
}
