/** Listeners by topic. The cost of a notification depends only on the number of its own listeners. */
export interface Listeners {
  // biome-ignore lint/suspicious/noExplicitAny: the arguments of a topic are known to its caller and its listeners only
  add(listener: (...args: any[]) => void, topics: string | readonly string[]): () => void
  notify(topics: readonly string[], ...args: unknown[]): void
}

export function createListeners(): Listeners {
  const byTopic = new Map<string, Set<Parameters<Listeners['add']>[0][]>>()
  return {
    add(listener, topics) {
      // A separate entry, because the same function may be subscribed twice, as in a double-invoked effect.
      const entry = [listener]
      const keys = [topics].flat()
      for (const key of keys) byTopic.set(key, (byTopic.get(key) ?? new Set()).add(entry))
      return () => {
        // Empty the entry, so that a notification that is under way skips it.
        entry.length = 0
        for (const key of keys) {
          const set = byTopic.get(key)
          if (set?.delete(entry) && !set.size) byTopic.delete(key)
        }
      }
    },
    notify(topics, ...args) {
      for (const entry of new Set(topics.flatMap((topic) => [...(byTopic.get(topic) ?? [])]))) {
        try {
          entry[0]?.(...args)
        } catch (error) {
          // The error of one listener must not affect the others or the stream. It surfaces as an uncaught error.
          queueMicrotask(() => {
            throw error
          })
        }
      }
    },
  }
}
