import type { Store } from '@holdpoint/server/store'

/** A store whose calls are steps at which the process may die: before each call, and after it. */
export function mortalStore(store: Store, step: () => void, stored: (messageId: string) => void): Store {
  const guard =
    <Args extends unknown[], Result>(call: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      step()
      const result = await call(...args)
      step()
      return result
    }
  return {
    ...store,
    open: () => store.open(),
    load: guard((...args) => store.load(...args)),
    list: guard((...args) => store.list(...args)),
    byTag: guard((...args) => store.byTag(...args)),
    due: guard((...args) => store.due(...args)),
    commit: guard(async (item) => {
      const done = await store.commit(item)
      if (done.ok) for (const { kind, id } of item.puts ?? []) if (kind === 'sent') stored(id)
      return done
    }),
    readLog: guard((...args) => store.readLog(...args)),
    snapshot: guard((...args) => store.snapshot(...args)),
    trim: guard((...args) => store.trim(...args)),
    rewrite: guard((...args) => store.rewrite(...args)),
    erase: guard((...args) => store.erase(...args)),
    subscribe: (listener) => store.subscribe(listener),
    close: () => store.close(),
  }
}
