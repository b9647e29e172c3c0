import type { Appended, Commit, CommitResult, StoreListener } from '../port.ts'

/** The commits of this process to one partition: the lists of events that they were given, and the events with their places. */
interface Commits {
  lists: (readonly string[] | undefined)[]
  /** Null if their places are not certain. */
  appended: Appended[] | null
}

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
  /**
   * Queues the partition of a commit of this process, of a driver whose history may change: listeners learn who made it, and
   * read its events from the store. Does nothing if the commit wrote nothing.
   */
  wrote(item: Commit): void
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
  /** The queued partitions with the commits of this process; null if other processes wrote too. */
  let queued = new Map<string, Commits | null>()
  let closed = false

  const flush = () => {
    const own = new Map<string, Appended[]>()
    const mine = new Map<string, Commits['lists']>()
    for (const [partition, commits] of queued) {
      if (commits) mine.set(partition, commits.lists)
      if (commits?.appended) own.set(partition, commits.appended)
    }
    const partitions = [...queued.keys()]
    queued = new Map()
    for (const listener of [...listeners]) {
      // A listener's error must not affect the others or the commit, but it must be reported.
      try {
        listener(partitions, own, mine)
      } catch (error) {
        queueMicrotask(() => {
          throw error
        })
      }
    }
  }

  const queue = (partition: string, commits: Commits | null) => {
    if (queued.size === 0) queueMicrotask(flush)
    queued.set(partition, commits)
  }

  /** Queues one more commit of this process, unless others wrote to the partition. */
  const queueOwn = ({ partition, events }: Commit, appended: Appended | null) => {
    const before = queued.get(partition)
    if (before === null) return
    before?.lists.push(events)
    if (!appended) queue(partition, { lists: before?.lists ?? [events], appended: null })
    else if (before) before.appended?.push(appended)
    else queue(partition, { lists: [events], appended: [appended] })
  }

  return {
    subscribe(listener) {
      // Wrapped, so that a function that is subscribed twice has two subscriptions.
      const entry: StoreListener = (...told) => listener(...told)
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
      // Also reported without events, because the epoch shows readers whether the log is still the same.
      queueOwn(item, { epoch: result.epoch, firstSeq: result.firstSeq, events: item.events ?? [] })
    },
    wrote(item) {
      if (listeners.size > 0 && hasWrites(item)) queueOwn(item, null)
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
