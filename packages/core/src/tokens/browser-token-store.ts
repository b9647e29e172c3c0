import type { BrowserWindow } from '../dom-types.ts'
import { later } from './freshness.ts'
import type { AccountRecord, TokenStore } from './types.ts'

/** Settings of `browserTokenStore`: above all, whether tokens may be written to disk. */
export interface BrowserTokenStoreOptions {
  /**
   * `memory` (default) writes nothing to disk. Tabs share tokens by messages, and a reload starts without tokens, which
   * suits refresh tokens in HttpOnly cookies. `localStorage` is readable by every script of the origin, permanently.
   */
  keep?: 'memory' | 'localStorage'
  /** Prefix of keys and channel; default `holdpoint:tokens`. */
  name?: string
  /** Whose `localStorage` and `storage` events; default this one. */
  window?: BrowserWindow
}

/** How long to wait for the record of another tab. A tab responds within a few milliseconds unless it is frozen. */
const ASK_MS = 60

/**
 * Keeps tokens in a browser, for all tabs of one origin.
 *
 * @example
 * const tokens = createTokenManager({ store: browserTokenStore(), lock: webLock(), refreshBy: 'cookie', refresh })
 */
export function browserTokenStore({
  keep = 'memory',
  name = 'holdpoint:tokens',
  window,
}: BrowserTokenStoreOptions = {}): TokenStore {
  return keep === 'memory' ? sharedMemory(name) : inLocalStorage(name, window ?? globalThis.window)
}

type Message = { ask: string } | { account: string; record: AccountRecord }

function sharedMemory(name: string): TokenStore {
  const records = new Map<string, AccountRecord>()
  const listeners = new Map<string, Set<() => void>>()
  const answers = new Map<string, Set<() => void>>()
  const channel = new BroadcastChannel(name)
  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    if ('ask' in data) {
      const record = records.get(data.ask)
      if (record) channel.postMessage({ account: data.ask, record } satisfies Message)
      return
    }
    const { account, record } = data
    const before = records.get(account) ?? null
    const newest = later(before, record) as AccountRecord
    records.set(account, newest)
    if (newest.version === before?.version) return
    for (const answered of answers.get(account) ?? []) answered()
    for (const listener of listeners.get(account) ?? []) listener()
  }
  /**
   * Asks the other tabs for their record. Under the lock this makes one refresh sufficient for all tabs, because the
   * last tab's message may still be on its way. A response without news may come from a tab that has not received the
   * message either, so only a newer record ends the wait.
   */
  async function latest(account: string): Promise<AccountRecord | null> {
    await new Promise<void>((done) => {
      const waiting = answers.get(account) ?? new Set()
      answers.set(account, waiting)
      const answered = () => {
        clearTimeout(timer)
        waiting.delete(answered)
        done()
      }
      const timer = setTimeout(answered, ASK_MS)
      waiting.add(answered)
      channel.postMessage({ ask: account } satisfies Message)
    })
    return records.get(account) ?? null
  }
  return {
    read: latest,
    write(account, expected, next) {
      const isCurrent = () => (records.get(account)?.version ?? null) === expected
      return alone(`${name}:${account}:write`, async () => {
        if (!isCurrent()) return false
        await latest(account)
        if (!isCurrent()) return false
        records.set(account, next)
        channel.postMessage({ account, record: next } satisfies Message)
        return true
      })
    },
    subscribe: (account, listener) => listen(listeners, account, listener),
  }
}

/** Makes compare and set one step among all tabs. Without the browser's locks (plain http) they may collide. */
function alone<T>(name: string, task: () => Promise<T>): Promise<T> {
  return navigator.locks ? (navigator.locks.request(name, task) as Promise<T>) : task()
}

function inLocalStorage(name: string, window: Window): TokenStore {
  const { localStorage } = window
  const key = (account: string) => `${name}:${account}`
  const read = (account: string): AccountRecord | null => {
    try {
      const record = JSON.parse(localStorage.getItem(key(account)) ?? 'null') as AccountRecord | null
      return typeof record?.version === 'string' ? record : null
    } catch {
      return null
    }
  }
  const listeners = new Map<string, Set<() => void>>()
  window.addEventListener('storage', (event) => {
    if (event.storageArea !== localStorage) return
    for (const [account, all] of listeners)
      if (event.key === null || event.key === key(account)) for (const listener of all) listener()
  })
  return {
    read: async (account) => read(account),
    write: (account, expected, next) =>
      alone(`${key(account)}:write`, async () => {
        if ((read(account)?.version ?? null) !== expected) return false
        localStorage.setItem(key(account), JSON.stringify(next))
        return true
      }),
    subscribe: (account, listener) => listen(listeners, account, listener),
  }
}

function listen(all: Map<string, Set<() => void>>, account: string, listener: () => void): () => void {
  const own = () => listener()
  all.set(account, (all.get(account) ?? new Set()).add(own))
  return () => void all.get(account)?.delete(own)
}
