import type { HoldpointClient, SessionState, Topic } from '@holdpoint/core'
import { useCallback, useSyncExternalStore } from 'react'

const nothing = () => {}

/**
 * One piece of the session's state, heard of only by its topic (any change, without one): with ten thousand cards on a page, an event wakes the
 * one that it is about. `read` must return the same object as long as nothing changed.
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
