import { isObject } from '../../json/guards.ts'
import { accept, type Decoded, refuse, type WireProblem } from '../../json/result.ts'
import type { HoldpointEvent } from '../../protocol/events.ts'
import type { ResetReason } from '../../protocol/frames.ts'

import { decodeEvent } from './decode-event.ts'

/** One decoded frame of a server over WebSocket, NDJSON or MessagePort. */
export type Frame =
  | { kind: 'event'; cursor: string; event: HoldpointEvent }
  | { kind: 'reset'; reason: ResetReason }
  | { kind: 'heartbeat' }
  | { kind: 'reply'; id: string; status: number; body: unknown }
  /** The stream ended, its channel did not. */
  | { kind: 'closed'; status: number }
  /** A newer server's frame. It shows that the connection lives, and is otherwise ignored. */
  | { kind: 'unknown' }

/** An event with its cursor. */
export interface PlacedEvent {
  cursor: string
  event: HoldpointEvent
}

/** The callbacks of a stream reader. A transport's listener is one. */
export interface FrameSink {
  events(batch: readonly PlacedEvent[]): void
  reset(reason: ResetReason): void
  alive(): void
  malformed(problem: WireProblem): void
  /** A frame of an event stream with another `event:` name than `message` and `reset`. */
  named?(name: string, data: string): void
}

/**
 * Reads one frame. Never throws.
 *
 * @example
 * const frame = decodeFrame(JSON.parse(message.data))
 * if (frame.ok && frame.value.kind === 'event') draw(frame.value.event)
 */
export function decodeFrame(value: unknown): Decoded<Frame> {
  if (!isObject(value)) return refuse('malformed_frame', 'A frame is an object.')
  if ('event' in value) {
    const { cursor } = value
    if (typeof cursor !== 'string' || cursor === '') return noCursor
    const event = decodeEvent(value.event)
    return event.ok ? accept({ kind: 'event', cursor, event: event.value }) : event
  }
  if ('reset' in value) return accept({ kind: 'reset', reason: readReason(value.reset) })
  if ('heartbeat' in value) return accept({ kind: 'heartbeat' })
  if ('closed' in value) {
    const { closed } = value
    return typeof closed === 'number'
      ? accept({ kind: 'closed', status: closed })
      : refuse('malformed_frame', 'A closed stream has a status.', 'closed')
  }
  if ('status' in value) {
    const { id, status, body } = value
    if (typeof id !== 'string')
      return refuse('malformed_frame', 'A response names the message that it belongs to.', 'id')
    if (typeof status !== 'number') return refuse('malformed_frame', 'A response has a status.', 'status')
    return accept({ kind: 'reply', id, status, body })
  }
  return accept({ kind: 'unknown' })
}

export const noCursor = refuse('malformed_frame', 'An event came without its cursor and has no place.', 'cursor')

/** A reason that this client does not know is still a reset. */
export const readReason = (value: unknown): ResetReason =>
  ['epoch', 'trimmed', 'ahead', 'forked'].includes(value as string) ? (value as ResetReason) : 'invalid'
