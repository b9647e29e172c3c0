import type { ConnectionState } from '@holdpoint/core/internal'
import { useHoldpointClient } from './use-client.ts'
import { useTopic } from './use-topic.ts'

/**
 * Returns whether the session is connected; if not, the number of attempts and the time of the next one.
 *
 * @example
 * const { status } = useConnectionState()
 */
export function useConnectionState(): ConnectionState {
  const client = useHoldpointClient()
  return useTopic(client, 'connection', (state) => state.connection) ?? client.getSnapshot().connection
}
