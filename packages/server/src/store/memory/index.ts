import type { Store } from '../port.ts'
import { MemoryPartitions } from './partitions.ts'
import { memoryStoreOver } from './store-over.ts'

/** Lets a test give the memory store its own time and epochs. */
interface MemoryStoreOptions {
  /** The store's clock in milliseconds; `Date.now` unless given. Deadlines follow it. */
  now?: () => number
  /** Makes the epoch of a new log; random unless given. */
  newEpoch?: () => string
}

/**
 * Keeps everything in this process and loses it with the process, for tests and for tools without need for durability.
 * A commit is one synchronous block, so nothing can happen between its check and its write.
 *
 * @example
 * let offset = 0
 * const store = memoryStore({ now: () => Date.now() + offset })
 * const holdpoint = createHoldpoint({ store, authenticate })
 */
export function memoryStore(options: MemoryStoreOptions = {}): Store {
  const data = new MemoryPartitions(options.newEpoch ?? (() => crypto.randomUUID().slice(0, 8)))
  return memoryStoreOver(data, options.now)
}
