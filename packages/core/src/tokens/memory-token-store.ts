import type { AccountRecord, TokenStore } from './types.ts'

/**
 * Keeps tokens as long as the process lives.
 *
 * @example
 * const tokens = createTokenManager({ store: memoryTokenStore(), refresh })
 */
export function memoryTokenStore(): TokenStore {
  const records = new Map<string, AccountRecord>()
  const listeners = new Map<string, Set<() => void>>()
  return {
    read: async (account) => records.get(account) ?? null,
    async write(account, expected, next) {
      if ((records.get(account)?.version ?? null) !== expected) return false
      records.set(account, next)
      for (const listener of listeners.get(account) ?? []) listener()
      return true
    },
    subscribe(account, listener) {
      const own = () => listener()
      const all = listeners.get(account) ?? new Set()
      listeners.set(account, all.add(own))
      return () => void all.delete(own)
    },
  }
}
