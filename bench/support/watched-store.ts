import type { Commit, Store } from '@holdpoint/server/store'

/** A store that counts its commits, and reports when none is under way. */
export function watchedStore(store: Store) {
  let [underWay, commits, bytes] = [0, 0, 0]
  const end = () => {
    underWay--
  }
  /** Gives back the very promise: nothing that is measured waits for the counting. */
  const counted =
    <Args extends unknown[], T>(work: (...args: Args) => Promise<T>) =>
    (...args: Args): Promise<T> => {
      underWay++
      const done = work(...args)
      done.then(end, end)
      return done
    }
  const commit = counted(store.commit)
  const watched: Store = {
    ...store,
    load: counted(store.load),
    list: counted(store.list),
    byTag: counted(store.byTag),
    due: counted(store.due),
    readLog: counted(store.readLog),
    snapshot: counted(store.snapshot),
    commit: (item) => {
      commits++
      bytes += sizeOf(item)
      return commit(item)
    },
  }
  return {
    store: watched,
    /** So far. */
    written: () => ({ commits, bytes }),
    /**
     * Runs the event loop until nothing has been under way for some turns. It uses no timer, so the process does not
     * sleep.
     */
    async drained() {
      for (let quiet = 0; quiet < 4; quiet = underWay === 0 ? quiet + 1 : 0) {
        await new Promise((resolve) => setImmediate(resolve))
      }
    },
  }
}

function sizeOf({ puts = [], events = [] }: Commit): number {
  return [...puts.map(({ data }) => data), ...events].reduce((sum, text) => sum + Buffer.byteLength(text), 0)
}
