import type { BrowserLocks } from '../dom-types.ts'
import type { TokenLock } from './types.ts'

/**
 * A lock between the tabs of one origin, by the browser's Web Locks. Never steals.
 *
 * @example
 * createTokenManager({ lock: webLock(), store: browserTokenStore({ keep: 'localStorage' }), refresh })
 */
export function webLock(locks: BrowserLocks = navigator.locks): TokenLock {
  return {
    async run<T>(name: string, waitMs: number, task: () => Promise<T>) {
      let started = false
      try {
        const value = await locks.request(name, { signal: AbortSignal.timeout(waitMs) }, () => {
          started = true
          return task()
        })
        return { held: true as const, value: value as T }
      } catch (error) {
        if (started) throw error
        return { held: false as const }
      }
    },
  }
}
