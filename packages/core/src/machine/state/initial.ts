import type { SessionState } from './types.ts'
import { VersionedMap } from './versioned-map.ts'

/**
 * Returns the state of a session without any known event. Use it to call `transition` without a client.
 *
 * @example
 * const [state] = transition(
 *   initialState({ sessionId: 'task-42', clientId: 'tab-1' }),
 *   { type: 'events', events },
 *   Date.now(),
 * )
 */
export function initialState(ids: { sessionId: string; clientId: string; interactive?: boolean }): SessionState {
  return {
    sessionId: ids.sessionId,
    clientId: ids.clientId,
    you: null,
    cursor: null,
    ready: false,
    interactiveMode: ids.interactive ?? true,
    connection: { status: 'connecting', attempt: 0 },
    clockOffset: 0,
    version: 0,
    runs: new VersionedMap(),
    interactions: new VersionedMap(),
    toolCalls: new VersionedMap(),
    pendingIds: [],
  }
}
