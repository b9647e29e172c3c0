import { type DumpedPartition, MemoryPartitions } from '../store/memory/partitions.ts'
import { memoryStoreOver } from '../store/memory/store-over.ts'
import type { Store } from '../store/port.ts'

/** The part of the Storage of a browser that the mock server uses. */
export type PageStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/**
 * The partition with the heartbeats of nodes. It is not restored: the page that wrote it has ended, so its tool calls
 * can be taken over at once.
 */
const NODES = 'n'

/**
 * Creates a memory store that survives a reload of the page. All data is written to `storage` after each change.
 * Damaged data and data of another version are dropped.
 */
export function keptStore(storage: PageStorage | undefined, key: string): Store {
  const data = new MemoryPartitions(() => crypto.randomUUID().slice(0, 8))
  const store = memoryStoreOver(data)
  if (!storage) return store
  data.restore(read(storage, key).filter(({ name }) => name !== NODES))
  const saved = <A extends unknown[], R>(change: (...args: A) => Promise<R>) => {
    return async (...args: A): Promise<R> => {
      const result = await change(...args)
      storage.setItem(key, JSON.stringify({ format: FORMAT, partitions: data.dump() }))
      return result
    }
  }
  return {
    ...store,
    commit: saved(store.commit),
    trim: saved(store.trim),
    rewrite: saved(store.rewrite),
    erase: saved(store.erase),
  }
}

const FORMAT = 1

function read(storage: PageStorage, key: string): DumpedPartition[] {
  try {
    const { format, partitions } = JSON.parse(storage.getItem(key) ?? '{}') as {
      format?: number
      partitions?: DumpedPartition[]
    }
    if (format === FORMAT && partitions) return partitions
  } catch {
    // The data is damaged, so the store begins empty.
  }
  storage.removeItem(key)
  return []
}
