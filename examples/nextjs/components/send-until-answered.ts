import type { HoldpointClient } from '@holdpoint/core'

const FIRST_MS = 1_000
const LONGEST_MS = 15_000
/** A proxy whose server restarts. */
const UNREACHABLE = [502, 503, 504]

/**
 * A `fetch` that repeats its request until the server has answered it: soon, and at once when the connection is back. The
 * server must recognize what it has received before.
 */
export function sendUntilAnswered(client: HoldpointClient, onWaiting: (waiting: boolean) => void): typeof fetch {
  return async (input, init) => {
    const signal = init?.signal ?? new AbortController().signal
    try {
      for (let pauseMs = FIRST_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_MS)) {
        const response = await fetch(input, init).catch((error) => {
          if (signal.aborted) throw error
          return null
        })
        if (response && !UNREACHABLE.includes(response.status)) return response
        onWaiting(true)
        await connectionBack(client, pauseMs, signal)
      }
    } finally {
      // An aborted request leaves the word to the one that takes its place.
      if (!signal.aborted) onWaiting(false)
    }
  }
}

/** Resolves when the page is connected again, at the latest after a pause. */
async function connectionBack(client: HoldpointClient, pauseMs: number, signal: AbortSignal): Promise<void> {
  const over = new AbortController()
  const isOpen = () => client.getSnapshot().connection.status === 'open'
  let wasOpen = isOpen()
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, pauseMs)
    addEventListener('online', () => resolve(), { signal: over.signal })
    signal.addEventListener('abort', () => resolve(), { signal: over.signal })
    const unsubscribe = client.subscribe(() => {
      if (isOpen() && !wasOpen) resolve()
      wasOpen = isOpen()
    }, 'connection')
    over.signal.addEventListener('abort', () => {
      clearTimeout(timer)
      unsubscribe()
    })
  })
  over.abort()
  signal.throwIfAborted()
}
