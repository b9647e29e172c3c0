import type { ResetReason } from '@holdpoint/core/internal'
import type { EventBatch } from './event-batch.ts'

/**
 * The reason why the server ended a stream. A client may reconnect after each of them, after `unauthorized` with a new
 * login.
 */
export type EndReason = 'revoked' | 'unauthorized' | 'slow' | 'reset' | 'shutdown' | 'failed'

/**
 * The destination of a subscriber's events: one SSE response, one socket or one poll. It only writes bytes, and makes
 * no decisions.
 */
export interface Sink {
  /** Returns the number of written bytes that the network has not accepted yet. */
  buffered(): number
  /** Writes the events `after < seq <= to` of a batch. */
  send(batch: EventBatch, after: number, to: number): void
  /** All stored events were written; later events follow as they happen. */
  live?(): void
  /** Writes a frame that is not an event. Only event streams can. */
  frame?(text: string): void
  /** Writes a few bytes, so that proxies and clients see that the connection is alive. */
  heartbeat(now: number): void
  /** Reports that the reader must fetch a snapshot. The stream ends next. */
  reset(reason: ResetReason): void
  /** Resolves when the network accepted some of the written bytes, or when the connection is closed. */
  drained(): Promise<void>
  /** Ends the connection; `slow` at once, the others after the written bytes. */
  end(reason: EndReason): void
}
