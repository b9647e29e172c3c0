import type { ResetReason } from '@holdpoint/core/internal'
import type { EventBatch } from '../http/hub/event-batch.ts'
import type { EndReason, Sink } from '../http/hub/sink.ts'

/** A connection that carries frames, each of them one JSON text. */
export interface FrameLine {
  /** Sends the event at `seq`, as bytes or as text, depending on what the connection sends without copying. */
  sendEvent(batch: EventBatch, seq: number): void
  sendText(text: string): void
  buffered(): number
  drained(): Promise<void>
}

/** A stream of events over a channel of frames. */
export class FrameSink implements Sink {
  readonly #line: FrameLine
  readonly #ended: (reason: EndReason) => void

  constructor(line: FrameLine, ended: (reason: EndReason) => void) {
    this.#line = line
    this.#ended = ended
  }

  buffered(): number {
    return this.#line.buffered()
  }

  send(batch: EventBatch, after: number, to: number): void {
    for (let seq = Math.max(after + 1, batch.first); seq <= to; seq++) this.#line.sendEvent(batch, seq)
  }

  heartbeat(now: number): void {
    this.#line.sendText(JSON.stringify({ heartbeat: now }))
  }

  reset(reason: ResetReason): void {
    this.#line.sendText(JSON.stringify({ reset: reason }))
  }

  drained(): Promise<void> {
    return this.#line.drained()
  }

  end(reason: EndReason): void {
    this.#ended(reason)
  }
}

/** The HTTP status that explains why a stream ended; 200 if the client should reconnect at once. */
export const endStatus: Record<EndReason, number> = {
  revoked: 401,
  unauthorized: 401,
  failed: 503,
  slow: 200,
  reset: 200,
  shutdown: 200,
}
