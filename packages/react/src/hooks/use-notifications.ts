import { useCallback, useEffect, useRef, useState } from 'react'
import { usePendingInteractions } from './use-interactions.ts'
import { useNoticing } from './use-noticing.ts'

/**
 * Shows notifications of the browser for questions that arrive while the page is hidden. A browser allows the
 * permission request only in a click or key press: call `ask` there.
 *
 * @example
 * const { permission, ask } = useNotifications()
 * return permission === 'default' && <button onClick={ask}>Notify me about questions</button>
 */
export function useNotifications(): {
  permission: NotificationPermission | 'unsupported'
  /** Asks the person for permission. Does nothing outside of a click or key press. */
  ask: () => Promise<void>
} {
  const { part, failed, gist, waiting } = useNoticing()
  const pending = usePendingInteractions()
  const [permission, setPermission] = useState<NotificationPermission | 'unsupported'>('unsupported')
  const notified = useRef(new Set<string>())
  useEffect(() => {
    if (typeof Notification !== 'undefined') setPermission(Notification.permission)
  }, [])
  useEffect(() => {
    // A notification that names its question is worth the moment until its words are here.
    if (!part && !failed) return
    for (const one of pending) {
      if (notified.current.has(one.interactionId)) continue
      notified.current.add(one.interactionId)
      if (permission !== 'granted' || document.visibilityState === 'visible') continue
      const notification = new Notification(gist(one) ?? waiting([one]), { tag: one.interactionId })
      notification.onclick = () => {
        window.focus()
        notification.close()
      }
    }
  }, [pending, permission, part, failed, gist, waiting])
  const ask = useCallback(async () => {
    if (typeof Notification === 'undefined' || !navigator.userActivation?.isActive) return
    setPermission(await Notification.requestPermission())
  }, [])
  return { permission, ask }
}
