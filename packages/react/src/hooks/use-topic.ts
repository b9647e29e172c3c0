import type { HoldpointClient, SessionState } from '@holdpoint/core'
import type { Topic } from '@holdpoint/core/internal'
import { useCallback, useSyncExternalStore } from 'react'

const nothing = () => {}

/**
 * Returns one part of the session's state and subscribes to its topic only (without one, to every change): with ten
 * thousand cards on a page, an event re-renders only its own card. `read` must return the same object as long as
 * nothing changed.
 */
export function useTopic<T>(
  client: HoldpointClient | null,
  topic: Topic | undefined,
  read: (state: SessionState) => T,
): T | undefined {
  const subscribe = useCallback(
    (listener: () => void) => (client ? client.subscribe(listener, topic) : nothing),
    [client, topic],
  )
  return useSyncExternalStore(
    subscribe,
    () => (client ? read(client.getSnapshot()) : undefined),
    () => (client ? read(client.getServerSnapshot()) : undefined),
  )
}
