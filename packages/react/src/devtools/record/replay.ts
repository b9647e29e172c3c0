import type { SessionState } from '@holdpoint/core'
import { transition } from '@holdpoint/core/machine'
import type { SessionRecording } from './types.ts'

/** Returns the state after the first `count` recorded events: what a page showed at that moment. */
export function stateAfter({ base, events, state }: SessionRecording, count: number): SessionState {
  if (count >= events.length) return state
  const until = events.slice(0, count).map(({ cursor, event }) => ({ cursor, event }))
  if (until.length === 0) return base
  return transition(base, { type: 'events', events: until }, events[count - 1]?.at ?? 0)[0]
}
