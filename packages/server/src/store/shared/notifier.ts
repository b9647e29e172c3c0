import type { Appended, Commit, CommitResult, StoreListener } from '../port.ts'

/** Notifies the listeners of this process about partitions with new commits. */
export interface Wake {
  subscribe(listener: StoreListener): () => void
  /** Queues a partition; everything queued in one tick reaches the listeners in one call. */
  emit(partition: string): void
  /** The same for a commit of this process, with what it appended; nothing for one that failed or wrote nothing. */
  committed(item: Commit, result: CommitResult | undefined): void
  /** Whether there are listeners. */
  readonly listening: boolean
  close(): void
}

/**
 * `onChange` is called when the first listener subscribes and when the last one unsubscribes, so that polling runs only
 * when needed.
 */
export function createWake(onChange: (listening: boolean) => void = () => {}): Wake {
  const listeners = new Set<StoreListener>()
  /** The events that were appended here; null if others wrote too, so that only the store has all of them. */
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
      // A wrapper, so that one function subscribed twice is two subscriptions.
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
      if (listeners.size === 0 || !result?.ok || !writes(item)) return
      const { partition, events = [] } = item
      const before = queued.get(partition)
      if (before === null) return
      const appended = before ?? []
      // Also without events: the epoch shows readers of the log whether it is still the same.
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

/** Whether a commit changes anything; one of checks alone notifies no listener. */
export function writes(item: Commit): boolean {
  return !!(item.events?.length || item.puts?.length || item.deletes?.length)
}
