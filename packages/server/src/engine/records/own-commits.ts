import type { StoreListener } from '../../store/port.ts'

/**
 * The commits of this engine, so that it distinguishes a store's notification of them from those of other processes, and
 * of another Holdpoint on the same store. The engine notifies its own waiters and calls of its commits directly.
 */
export class OwnCommits {
  /** The lists of events that were passed to the store. A store that copies them makes a commit look like another's. */
  private readonly events = new WeakSet<readonly string[]>()

  /** Call this before the commit: its notification may be faster than its result. */
  add(events: readonly string[]): void {
    this.events.add(events)
  }

  /** The partitions of a notification in which others wrote too. */
  foreign(...[partitions, own, mine]: Parameters<StoreListener>): readonly string[] {
    return partitions.filter((partition) => {
      const commits = mine?.get(partition) ?? own.get(partition)?.map(({ events }) => events)
      return !commits?.every((events) => events && this.events.has(events))
    })
  }
}
