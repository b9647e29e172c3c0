import { spokenEnglish } from '@holdpoint/core/internal'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useSettings } from '../settings/context.ts'
import { gistOf } from '../wording/question-text.ts'
import { usePendingInteractions } from './use-interactions.ts'

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
  /** Asks the person. Does nothing outside of a gesture. */
  ask: () => Promise<void>
} {
  const { messages: given, tools, integrations } = useSettings()
  const messages = given ?? spokenEnglish
  const pending = usePendingInteractions()
  const [permission, setPermission] = useState<NotificationPermission | 'unsupported'>('unsupported')
  const told = useRef(new Set<string>())
  useEffect(() => {
    if (typeof Notification !== 'undefined') setPermission(Notification.permission)
  }, [])
  useEffect(() => {
    for (const one of pending) {
      if (told.current.has(one.interactionId)) continue
      told.current.add(one.interactionId)
      if (permission !== 'granted' || document.visibilityState === 'visible') continue
      const notification = new Notification(gistOf(one, messages, { tools, integrations }), { tag: one.interactionId })
      notification.onclick = () => {
        window.focus()
        notification.close()
      }
    }
  }, [pending, permission, messages, tools, integrations])
  const ask = useCallback(async () => {
    if (typeof Notification === 'undefined' || !navigator.userActivation?.isActive) return
    setPermission(await Notification.requestPermission())
  }, [])
  return { permission, ask }
}
