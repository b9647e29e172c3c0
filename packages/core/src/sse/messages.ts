import type { ResetReason } from '../protocol/frames.ts'
import type { TransportFailure } from '../transport/types.ts'
import type { PlacedEvent } from '../wire/events/frame.ts'

/** The session and cursor that one client wants to read. */
export interface Wanted {
  session: string
  client: string
  cursor: string | null
}

/** A message from the leader to the members. `stream` names the stream from which it comes. */
export type LeaderMessage =
  /** The leader is alive. */
  | { type: 'here' }
  /** Another member became the leader. Each member repeats its requests. */
  | { type: 'lead' }
  | { type: 'opened'; stream: string; members: readonly string[] }
  | { type: 'events'; stream: string; session: string; events: readonly PlacedEvent[] }
  | { type: 'reset'; stream: string; session: string; reason: ResetReason }
  | { type: 'malformed'; stream: string; session: string; error: { code: string; message: string } }
  | { type: 'alive'; stream: string }
  | { type: 'down'; members: readonly string[]; error: TransportFailure }
  /** These members have to open streams of their own. */
  | { type: 'alone'; members: readonly string[] }

/** A message from a member to the leader. */
export type MemberMessage = ({ type: 'want' } & Wanted) | { type: 'drop' } | { type: 'ping' }

/** A message in the channel of a group of tabs. */
export type TabMessage = (LeaderMessage | MemberMessage) & { from: string }
