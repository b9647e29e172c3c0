import type { Appended, Commit, CommitResult, StoreListener } from '../port.ts'

/** Notifies the listeners of this process about partitions with new commits. */
export interface CommitNotifier {
  subscribe(listener: StoreListener): () => void
  /** Queues a partition. Listeners receive all partitions of one tick in one call. */
  emit(partition: string): void
  /**
   * Queues the partition of a commit of this process together with the appended events. Does nothing if the commit
   * failed or wrote nothing.
   */
  committed(item: Commit, result: CommitResult | undefined): void
  /** True if there are listeners. */
  readonly listening: boolean
  close(): void
}

/**
 * Creates a `Wake`. `onChange` is called when the first listener subscribes and when the last one unsubscribes, so that
 * polling runs only when needed.
 */
export function createCommitNotifier(onChange: (listening: boolean) => void = () => {}): CommitNotifier {
  const listeners = new Set<StoreListener>()
  /**
   * The queued partitions with the events that this process appended; null if other processes wrote too, so that only
   * the store has all events.
   */
  let queued = new Map<string, Appended[] | null>()
  let closed = false

  const flush = () => {
    const own = new Map<string, Appended[]>()
    for (const [partition, appended] of queued) if (appended) own.set(partition, appended)
    const partitions = [...queued.keys()]
    queued = new Map()
    for (const listener of [...listeners]) {
      // A listener's error must not affect the others or the commit, but it must be reported.
      try {
        listener(partitions, own)
      } catch (error) {
        queueMicrotask(() => {
          throw error
        })
      }
    }
  }

  const queue = (partition: string, appended: Appended[] | null) => {
    if (queued.size === 0) queueMicrotask(flush)
    queued.set(partition, appended)
  }

  return {
    subscribe(listener) {
      // Wrapped, so that a function that is subscribed twice has two subscriptions.
      const entry: StoreListener = (partitions, own) => listener(partitions, own)
      if (closed) return () => {}
      listeners.add(entry)
      if (listeners.size === 1) onChange(true)
      return () => {
        if (listeners.delete(entry) && listeners.size === 0) onChange(false)
      }
    },
    emit(partition) {
      if (listeners.size > 0) queue(partition, null)
    },
    committed(item, result) {
      if (listeners.size === 0 || !result?.ok || !hasWrites(item)) return
      const { partition, events = [] } = item
      const before = queued.get(partition)
      if (before === null) return
      const appended = before ?? []
      // Also reported without events, because the epoch shows readers whether the log is still the same.
      appended.push({ epoch: result.epoch, firstSeq: result.firstSeq, events })
      if (!before) queue(partition, appended)
    },
    get listening() {
      return listeners.size > 0
    },
    close() {
      closed = true
      if (listeners.size > 0) onChange(false)
      listeners.clear()
    },
  }
}

/** Returns whether a commit changes anything. A commit that only has checks does not notify listeners. */
export function hasWrites(item: Commit): boolean {
  return !!(item.events?.length || item.puts?.length || item.deletes?.length)
}
