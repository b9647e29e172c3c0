import type { UserAction } from '@holdpoint/core/protocol'
import { useMemo } from 'react'
import { useHoldpointClient } from './use-client.ts'

/**
 * What the person did in the interface that the agent should learn of. Actions gather in the client until they go with
 * the next request (`take`) or on their own (`send`).
 *
 * @example
 * const { add, take } = useUserActions()
 * add({ type: 'global_event', event: 'theme_changed', payload: { theme: 'dark' } })
 * await fetch('/chat', { method: 'POST', body: JSON.stringify({ text, userActions: take() }) })
 */
export function useUserActions(): {
  add: (action: UserAction) => void
  /** Empties the buffer and returns what was in it. */
  take: () => UserAction[]
  /** Sends what is there now; what could not be sent stays. */
  send: () => Promise<void>
} {
  const client = useHoldpointClient()
  return useMemo(
    () => ({
      add: (action) => client.bufferAction(action),
      take: () => client.takeActions(),
      send: () => client.sendUserActions(),
    }),
    [client],
  )
}
