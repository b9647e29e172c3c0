import { useEffect } from 'react'
import { useLatest } from '../base/use-latest.ts'
import { useSettings } from './context.ts'

/**
 * Calls `again` each time the connection is back while something is `unsent`: what only the page knows of, such as a stop
 * or an answer of `onRespond`. Answers that the client tracks are sent again by the client. Undefined: nothing is unsent.
 */
export function useResend(unsent: object | undefined, again: () => void): void {
  const { client } = useSettings()
  const latest = useLatest(again)
  useEffect(() => {
    if (!unsent) return
    const isOpen = () => client?.getSnapshot().connection.status === 'open'
    let wasOpen = isOpen()
    const resend = () => latest()()
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
  }, [unsent, client, latest])
}
