/** Who wants to hear of what. One change costs what its own listeners cost, however many others there are. */
export interface Listeners<A extends unknown[] = []> {
  add(listener: (...args: A) => void, topics?: string | readonly string[]): () => void
  tell(topics: readonly string[], ...args: A): void
}

export function createListeners<A extends unknown[] = []>(): Listeners<A> {
  const byTopic = new Map<string, Set<Entry>>()
  type Entry = { listener: (...args: A) => void; gone?: boolean }
  return {
    add(listener, topics = 'any') {
      // An entry of its own: the same function may be subscribed twice, as in a double-invoked effect.
      const entry: Entry = { listener }
      const keys = [topics].flat()
      for (const key of keys) byTopic.set(key, (byTopic.get(key) ?? new Set()).add(entry))
      return () => {
        entry.gone = true
        for (const key of keys) {
          const set = byTopic.get(key)
          if (set?.delete(entry) && !set.size) byTopic.delete(key)
        }
      }
    },
    tell(topics, ...args) {
      const told = new Set<Entry>()
      for (const topic of ['any', ...topics]) for (const entry of byTopic.get(topic) ?? []) told.add(entry)
      for (const entry of told) {
        try {
          if (!entry.gone) entry.listener(...args)
        } catch (error) {
          // One listener's error is its own: the others, and the stream, go on. It surfaces as an uncaught one.
          queueMicrotask(() => {
            throw error
          })
        }
      }
    },
  }
}
