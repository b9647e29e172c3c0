import type { ResetReason } from '@holdpoint/core/internal'
import type { EventBatch } from './event-batch.ts'

/**
 * The reason why the server ended a stream. A client may reconnect after each of them, after `unauthorized` with a new
 * login.
 */
export type EndReason = 'revoked' | 'unauthorized' | 'slow' | 'reset' | 'shutdown' | 'failed'

/** Where a subscriber's events go: one SSE response, one socket, one poll. It moves bytes and decides nothing. */
export interface Sink {
  /** Bytes that were handed over and that the network has not taken yet. */
  buffered(): number
  /** Hands over the events `after < seq <= to` of a batch. */
  send(batch: EventBatch, after: number, to: number): void
  /** Everything that there was has been handed over; from here on events come as they happen. */
  live?(): void
  /** Writes a frame that is not an event. Only event streams can. */
  frame?(text: string): void
  /** Something small, so that proxies and clients see a living connection. */
  heartbeat(now: number): void
  /** The reader must take a snapshot. The stream ends next. */
  reset(reason: ResetReason): void
  /** The network took some of what was handed over, or the connection is gone. */
  drained(): Promise<void>
  /** Ends the connection; `slow` at once, the others after what was handed over. */
  end(reason: EndReason): void
}
