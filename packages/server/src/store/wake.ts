/** Says which partitions something was committed to, to whoever listens in this process. */
export interface Wake {
  subscribe(listener: (partitions: readonly string[]) => void): () => void
  /** Queues a partition; everything queued in one tick reaches the listeners in one call. */
  emit(partition: string): void
  /** Whether anybody listens. */
  readonly listening: boolean
  close(): void
}

/** `onChange` hears when the first listener comes and when the last one goes: nobody polls for nobody. */
export function createWake(onChange: (listening: boolean) => void = () => {}): Wake {
  const listeners = new Set<(partitions: readonly string[]) => void>()
  let queued = new Set<string>()
  let closed = false

  const flush = () => {
    const partitions = [...queued]
    queued = new Set()
    for (const listener of [...listeners]) {
      // One listener's bug must not keep the others asleep, nor fail the commit; it still must be heard of.
      try {
        listener(partitions)
      } catch (error) {
        queueMicrotask(() => {
          throw error
        })
      }
    }
  }

  return {
    subscribe(listener) {
      // A wrapper, so that one function subscribed twice is two subscriptions.
      const entry = (partitions: readonly string[]) => listener(partitions)
      if (closed) return () => {}
      listeners.add(entry)
      if (listeners.size === 1) onChange(true)
      return () => {
        if (listeners.delete(entry) && listeners.size === 0) onChange(false)
      }
    },
    emit(partition) {
      if (listeners.size === 0) return
      if (queued.size === 0) queueMicrotask(flush)
      queued.add(partition)
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
