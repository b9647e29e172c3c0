import { useEffect } from 'react'
import { useLatest } from '../base/use-latest.ts'
import { useSettings } from './context.ts'

/**
 * Calls `again` when the client repeats unsent messages, while something is `unsent` that only the page knows, such as
 * a stop or an answer of `onRespond`. The client decides when; without a client the browser's `online` event does.
 * Undefined if nothing is unsent.
 */
export function useResend(unsent: object | undefined, again: () => void): void {
  const { client } = useSettings()
  const latest = useLatest(again)
  useEffect(() => {
    if (!unsent) return
    const resend = () => latest()()
    if (client) return client.subscribe(resend, 'resend')
    window.addEventListener('online', resend)
    return () => window.removeEventListener('online', resend)
  }, [unsent, client, latest])
}
