import type { TokenLock } from './types.ts'

/**
 * For a single tab or process, where the store's compare-and-set is sufficient.
 *
 * @example
 * createTokenManager({ lock: noLock(), refresh })   // the default
 */
export function noLock(): TokenLock {
  return { run: async (_name, _waitMs, task) => ({ held: true, value: await task() }) }
}
