export interface GroupOptions<T, R> {
  /**
   * Commits a group in one transaction. A rejection means that nothing was written, or that the result is unknown. Then
   * every item fails with it, unless `separable` says that a smaller group might succeed.
   */
  flush(items: readonly T[]): Promise<readonly R[]>
  /** True for an error that one item may have brought on all and that certainly undid everything. */
  separable(error: unknown): boolean
  /** Starts a flush soon; items that are added until then share it. */
  schedule(run: () => void): void
  /** Flushes under way at once. */
  lanes: number
  /** Items and characters that one flush takes at most. */
  maxItems: number
  maxSize: number
  sizeOf(item: T): number
}

export interface Group<T, R> {
  add(item: T): Promise<R>
  /** Resolves when nothing is queued or under way. */
  idle(): Promise<void>
}

interface Waiting<T, R> {
  item: T
  resolve(value: R): void
  reject(error: unknown): void
}

/**
 * Group commit: items that arrive during a transaction wait and share the next one. A transaction costs a disk flush
 * regardless of its size, so throughput grows with the number of callers.
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
      // The bad item is found by halves: its neighbors pay a few more transactions, not one each.
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
