import { useEffect } from 'react'
import { useLatest } from '../base/use-latest.ts'
import { useSettings } from './context.ts'

/** After a longer time the user may have changed their mind: then only they send it. */
const RESEND_WITHIN_MS = 30_000

/**
 * Calls `again` when the connection is back, at most 30 seconds after `unsent` could not be sent. Sending twice is
 * safe: an answer keeps its id. Undefined: nothing is unsent.
 */
export function useResend(unsent: object | undefined, again: () => void): void {
  const { client, clock } = useSettings()
  const latest = useLatest(again)
  useEffect(() => {
    if (!unsent) return
    const since = clock.now()
    const isOpen = () => client?.getSnapshot().connection.status === 'open'
    let wasOpen = isOpen()
    const resend = () => {
      if (clock.now() - since <= RESEND_WITHIN_MS) latest()()
    }
    const look = () => {
      const open = isOpen()
      if (open && !wasOpen) resend()
      wasOpen = open
    }
    const unsubscribe = client?.subscribe(look, 'connection')
    // A client that does not listen, such as the inbox's, learns nothing of the connection.
    window.addEventListener('online', resend)
    return () => {
      unsubscribe?.()
      window.removeEventListener('online', resend)
    }
  }, [unsent, client, clock, latest])
}
