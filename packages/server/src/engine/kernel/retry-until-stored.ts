import { type HoldpointErrorCode, isHoldpointError } from '@holdpoint/core'
import { pause } from '../../base/environment.ts'
import { errorFacts } from '../../base/logger.ts'
import type { Kernel } from './kernel.ts'

const FIRST_MS = 100
const LONGEST_MS = 5_000

/**
 * Repeats what must not be lost because the store is away: an outcome that a handler came to, the result of a tool.
 * Errors that repeating cannot cure are thrown.
 */
export async function retryUntilStored<T>(kernel: Kernel, write: () => Promise<T>): Promise<T> {
  for (let wait = FIRST_MS; ; wait = Math.min(LONGEST_MS, wait * 2)) {
    try {
      return await write()
    } catch (error) {
      if (!isStoreAway(error)) throw error
      kernel.log.warn('something could not be written yet; trying again', errorFacts(error))
      await pause(kernel.environment, wait)
    }
  }
}

/** Returns true for an error of a store that may accept the same write later. */
export function isStoreAway(error: unknown): boolean {
  return curable.some((code) => isHoldpointError(error, code))
}

const curable: HoldpointErrorCode[] = [
  'store_unavailable',
  'store_busy',
  'store_full',
  'store_readonly',
  'store_pool_exhausted',
  'store_contention',
]
