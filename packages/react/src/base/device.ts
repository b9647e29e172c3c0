/** The client ids of this browser, newest last, including other tabs and earlier page loads. */
export interface Device {
  remember(clientId: string): void
  /** Whether an answer came from another device. False where this browser cannot know it. */
  isAnother(clientId: string, answeredAt: string | undefined): boolean
}

const KEY = 'holdpoint:clients'
const KEPT = 100

/** Persists the client ids in the browser's storage. Without storage, no answer is attributed to another device. */
export function createDevice(
  storage: () => Pick<Storage, 'getItem' | 'setItem'> | undefined,
  now: () => number,
): Device {
  const read = (): [id: string, since: number][] => {
    try {
      const kept: unknown = JSON.parse(storage()?.getItem(KEY) ?? '[]')
      return Array.isArray(kept) ? kept : []
    } catch {
      return []
    }
  }
  return {
    remember(clientId) {
      const known = read()
      if (known.some(([id]) => id === clientId)) return
      try {
        storage()?.setItem(KEY, JSON.stringify([...known, [clientId, now()]].slice(-KEPT)))
      } catch {
        // If storage is full or forbidden, no answer is attributed to another device.
      }
    },
    isAnother(clientId, answeredAt) {
      const known = read()
      const since = known[0]?.[1] ?? Number.POSITIVE_INFINITY
      // Older answers may come from a client that is no longer remembered.
      return !known.some(([id]) => id === clientId) && Date.parse(answeredAt ?? '') > since
    },
  }
}
