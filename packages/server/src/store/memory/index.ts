import type { Store } from '../port.ts'
import { MemoryPartitions } from './partitions.ts'
import { memoryStoreOver } from './store-over.ts'

/** Options of `memoryStore`, with which a test controls its time and epochs. */
interface MemoryStoreOptions {
  /**
   * The store's clock in milliseconds, which decides about deadlines.
   *
   * @default Date.now
   */
  now?: () => number
  /**
   * Returns the epoch of a new log.
   *
   * @default a random text
   */
  newEpoch?: () => string
}

/**
 * Creates a store in the memory of this process, for tests and for tools that need no durability. Everything is lost
 * when the process ends. A commit is one synchronous block, so nothing can happen between its check and its write.
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
