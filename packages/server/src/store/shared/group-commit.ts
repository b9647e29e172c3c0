export interface GroupOptions<T, R> {
  /**
   * Commits a group in one transaction. A rejection means that nothing was written, or that the result is unknown. All
   * items are then rejected with it, unless `separable` returns true, which means that smaller groups might succeed.
   */
  flush(items: readonly T[]): Promise<readonly R[]>
  /** Returns whether one item may have caused the error for all, and nothing was written. */
  separable(error: unknown): boolean
  /** Calls `run` soon. Items that are added until then share the flush. */
  schedule(run: () => void): void
  /** The maximum number of concurrent flushes. */
  lanes: number
  /** The maximum number of items and characters in one flush. */
  maxItems: number
  maxSize: number
  sizeOf(item: T): number
}

export interface Group<T, R> {
  add(item: T): Promise<R>
  /** Resolves when no item is queued or being written. */
  idle(): Promise<void>
}

interface Waiting<T, R> {
  item: T
  resolve(value: R): void
  reject(error: unknown): void
}

/**
 * Creates a group commit: items that arrive during a transaction wait and share the next one. A transaction costs a
 * disk flush regardless of its size, so throughput grows with the number of callers.
 */
export function createGroup<T, R>(options: GroupOptions<T, R>): Group<T, R> {
  let queue: Waiting<T, R>[] = []
  let running = 0
  let scheduled = false
  const idlers: (() => void)[] = []

  const next = () => {
    scheduled = false
    while (queue.length > 0 && running < options.lanes) {
      const taken = takeGroup(queue, options)
      queue = queue.slice(taken.length)
      running++
      void settle(taken).then(() => {
        running--
        if (queue.length > 0) plan()
        else if (running === 0) for (const resolve of idlers.splice(0)) resolve()
      })
    }
  }

  const plan = () => {
    if (scheduled || running >= options.lanes) return
    scheduled = true
    options.schedule(next)
  }

  const settle = async (group: readonly Waiting<T, R>[]): Promise<void> => {
    let results: readonly R[]
    try {
      results = await options.flush(group.map(({ item }) => item))
    } catch (error) {
      if (group.length === 1 || !options.separable(error)) {
        for (const { reject } of group) reject(error)
        return
      }
      // Splits the group in halves until the bad item is alone. This costs fewer transactions than one for each item.
      const middle = group.length >> 1
      await settle(group.slice(0, middle))
      await settle(group.slice(middle))
      return
    }
    group.forEach(({ resolve }, index) => {
      resolve(results[index] as R)
    })
  }

  return {
    add: (item) =>
      new Promise((resolve, reject) => {
        queue.push({ item, resolve, reject })
        plan()
      }),
    idle: () =>
      new Promise((resolve) => {
        if (queue.length === 0 && running === 0) resolve()
        else idlers.push(resolve)
      }),
  }
}

function takeGroup<T, R>(queue: readonly Waiting<T, R>[], { maxItems, maxSize, sizeOf }: GroupOptions<T, R>) {
  let size = 0
  let count = 0
  for (const { item } of queue) {
    size += sizeOf(item)
    if (count > 0 && (count === maxItems || size > maxSize)) break
    count++
  }
  return queue.slice(0, count)
}
