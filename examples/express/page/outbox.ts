import { useConnectionState, useHoldpointClient } from '@holdpoint/react'
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react'

const FIRST_MS = 1_000
const LONGEST_MS = 15_000
/** A proxy whose server restarts. */
const UNREACHABLE = [502, 503, 504]

export interface Unsent {
  id: string
  text: string
}

/**
 * Typed messages, until the server has received them: sent in order, repeated while the connection is lost, and kept
 * over a reload. The server recognizes a message by its id and begins one turn for it.
 */
export function useOutbox(onRefused: (text: string) => void) {
  const { sessionId } = useHoldpointClient()
  const key = `unsent ${sessionId}`
  const isConnected = useConnectionState().status === 'open'
  const stored = useSyncExternalStore(onStorage, () => localStorage.getItem(key) ?? '[]')
  const unsent = useMemo(() => JSON.parse(stored) as Unsent[], [stored])
  const [waiting, setWaiting] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const [first] = unsent

  useEffect(() => {
    if (!first) return
    const over = new AbortController()
    const { signal } = over
    void sendUntilAnswered(sessionId, first, signal, isConnected, setWaiting).then(async (response) => {
      const refused = response.ok ? null : await reasonOf(response)
      if (signal.aborted) return
      setError(refused)
      if (refused !== null) onRefused(first.text)
      change(key, (known) => known.filter(({ id }) => id !== first.id))
    }, ignoreAbort)
    return () => over.abort()
    // A reconnect or a loss of the connection starts again: the first attempt is made at once.
  }, [sessionId, key, first, isConnected, onRefused])

  return {
    unsent: waiting ? unsent : [],
    error,
    send: (text: string) => change(key, (known) => [...known, { id: crypto.randomUUID(), text }]),
  }
}

async function sendUntilAnswered(
  sessionId: string,
  { id, text }: Unsent,
  signal: AbortSignal,
  isConnected: boolean,
  onWaiting: (waiting: boolean) => void,
): Promise<Response> {
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ sessionId, id, message: text })
  for (let pauseMs = isConnected ? FIRST_MS : LONGEST_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_MS)) {
    const response = await fetch('/api/chat', { method: 'POST', headers, body, signal }).catch(() => null)
    signal.throwIfAborted()
    onWaiting(!response || UNREACHABLE.includes(response.status))
    if (response && !UNREACHABLE.includes(response.status)) return response
    await Promise.race([passed(pauseMs, signal), online(signal)])
    signal.throwIfAborted()
  }
}

const online = (signal: AbortSignal) =>
  new Promise<void>((resolve) => addEventListener('online', () => resolve(), { signal, once: true }))

const passed = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })

const reasonOf = async (response: Response): Promise<string> =>
  ((await response.json().catch(() => null)) as { error?: string } | null)?.error ?? 'The message was refused.'

function ignoreAbort(error: Error): void {
  if (error.name !== 'AbortError') throw error
}

function change(key: string, to: (known: Unsent[]) => Unsent[]): void {
  const next = to(JSON.parse(localStorage.getItem(key) ?? '[]') as Unsent[])
  if (next.length > 0) localStorage.setItem(key, JSON.stringify(next))
  else localStorage.removeItem(key)
  // Browsers send this event to other tabs only.
  dispatchEvent(new StorageEvent('storage', { key }))
}

function onStorage(listener: () => void): () => void {
  addEventListener('storage', listener)
  return () => removeEventListener('storage', listener)
}
