import type { Commit, Store } from '@holdpoint/server/store'

/** The counted calls of one store. */
export interface StoreCounts {
  commits: number
  loads: number
  /** Rows that loads asked for. */
  rows: number
  /** `list`, `byTag`, `due`, `readLog` and `snapshot`. */
  lists: number
  /** Of the rows and events that were committed. */
  bytes: number
}

export type CountedStore = ReturnType<typeof countedStore>

/** A store that counts its calls, keeps the texts of the events that were committed, and knows when it is idle. */
export function countedStore(store: Store) {
  const counts: StoreCounts = { commits: 0, loads: 0, rows: 0, lists: 0, bytes: 0 }
  const events: string[] = []
  let underWay = 0
  const followed = async <T>(work: Promise<T>): Promise<T> => {
    underWay++
    try {
      return await work
    } finally {
      underWay--
    }
  }
  const listed =
    <Args extends unknown[], T>(work: (...args: Args) => Promise<T>) =>
    (...args: Args) => {
      counts.lists++
      return followed(work(...args))
    }
  const counted: Store = {
    ...store,
    load(refs) {
      counts.loads++
      counts.rows += refs.length
      return followed(store.load(refs))
    },
    commit(item) {
      counts.commits++
      counts.bytes += sizeOf(item)
      events.push(...(item.events ?? []))
      return followed(store.commit(item))
    },
    list: listed(store.list),
    byTag: listed(store.byTag),
    due: listed(store.due),
    readLog: listed(store.readLog),
    snapshot: listed(store.snapshot),
  }
  return {
    store: counted,
    events,
    /** Counts from here on. */
    reset() {
      Object.assign(counts, { commits: 0, loads: 0, rows: 0, lists: 0, bytes: 0 })
      events.length = 0
    },
    counts: (): StoreCounts => ({ ...counts }),
    /** Resolves when nothing has been under way, in the store and beside it, for some turns of the event loop. */
    async idle(beside: () => boolean) {
      for (let quiet = 0; quiet < 8; quiet = underWay === 0 && beside() ? quiet + 1 : 0) {
        await new Promise((resolve) => setImmediate(resolve))
      }
    },
  }
}

function sizeOf({ puts = [], events = [] }: Commit): number {
  return [...puts.map(({ data }) => data), ...events].reduce((sum, text) => sum + Buffer.byteLength(text), 0)
}
