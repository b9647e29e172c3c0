import { useEffect, useRef } from 'react'
import type { InboxOptions } from './use-inbox.ts'

/** A server forgets a page that was silent for a minute. */
const REPEAT_MS = 20_000

/**
 * Tells the server whether this page shows the inbox: when it appears, becomes visible or hidden, and goes. While it is
 * visible, the message is repeated after reads of the inbox, without a timer of its own.
 */
export function useInboxPresence(
  target: Pick<InboxOptions, 'url' | 'headers' | 'fetch'>,
  counts: boolean,
  readAt: number,
): void {
  const { url } = target
  const latest = useRef(target)
  latest.current = target
  const reporter = useRef<{ report: (visible: boolean) => void; at: number }>(undefined)
  useEffect(() => {
    if (!counts) return
    const clientId = crypto.getRandomValues(new Uint32Array(4)).join('-')
    const own = {
      at: 0,
      report(visible: boolean) {
        own.at = visible ? Date.now() : 0
        void send({ ...latest.current, url }, { clientId, visible })
      },
    }
    reporter.current = own
    const changed = () => own.report(!document.hidden)
    const left = () => own.report(false)
    if (!document.hidden) own.report(true)
    document.addEventListener('visibilitychange', changed)
    addEventListener('pagehide', left)
    return () => {
      document.removeEventListener('visibilitychange', changed)
      removeEventListener('pagehide', left)
      reporter.current = undefined
      left()
    }
  }, [counts, url])
  useEffect(() => {
    const own = reporter.current
    if (readAt > 0 && own && !document.hidden && Date.now() - own.at >= REPEAT_MS) own.report(true)
  }, [readAt])
}

/** A message that is lost costs a notification too many, or one that comes a minute later. */
async function send(
  { url, headers, fetch = globalThis.fetch }: Pick<InboxOptions, 'url' | 'headers' | 'fetch'>,
  body: { clientId: string; visible: boolean },
): Promise<void> {
  try {
    const sent = new Headers(await headers?.())
    sent.set('content-type', 'application/json')
    // A page that goes away takes other requests with it.
    const init = { method: 'POST', keepalive: true, credentials: 'same-origin', body: JSON.stringify(body) } as const
    await fetch(`${url.replace(/\/+$/, '')}/inbox/presence`, { ...init, headers: sent })
  } catch {
    // The next message says the same.
  }
}
