/** Who wants to hear of what. One change costs what its own listeners cost, however many others there are. */
export interface Listeners {
  // biome-ignore lint/suspicious/noExplicitAny: what is told under a topic is between its teller and its listeners
  add(listener: (...args: any[]) => void, topics: string | readonly string[]): () => void
  tell(topics: readonly string[], ...args: unknown[]): void
}

export function createListeners(): Listeners {
  const byTopic = new Map<string, Set<Parameters<Listeners['add']>[0][]>>()
  return {
    add(listener, topics) {
      // An entry of its own: the same function may be subscribed twice, as in a double-invoked effect.
      const entry = [listener]
      const keys = [topics].flat()
      for (const key of keys) byTopic.set(key, (byTopic.get(key) ?? new Set()).add(entry))
      return () => {
        // Empty from now on, for whoever is about to be told.
        entry.length = 0
        for (const key of keys) {
          const set = byTopic.get(key)
          if (set?.delete(entry) && !set.size) byTopic.delete(key)
        }
      }
    },
    tell(topics, ...args) {
      for (const entry of new Set(topics.flatMap((topic) => [...(byTopic.get(topic) ?? [])]))) {
        try {
          entry[0]?.(...args)
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
