import type { ConnectionState } from '@holdpoint/core/internal'
import { useHoldpointClient } from './use-client.ts'
import { useTopic } from './use-topic.ts'

/**
 * Whether the session is connected, and if not, since how many attempts and until when.
 *
 * @example
 * const { status } = useConnectionState()
 */
export function useConnectionState(): ConnectionState {
  const client = useHoldpointClient()
  return useTopic(client, 'connection', (state) => state.connection) ?? client.getSnapshot().connection
}
