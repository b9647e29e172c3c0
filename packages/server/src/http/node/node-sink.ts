import type { ServerResponse } from 'node:http'
import type { Writable } from 'node:stream'
import { type ResetReason, sseHeartbeat, sseReset } from '@holdpoint/core/internal'

import { toBytes } from '../hub/bytes.ts'
import type { EventBatch } from '../hub/event-batch.ts'
import type { EndReason, Sink } from '../hub/sink.ts'
import { drained } from './drained.ts'

/** An SSE body on node:http. All readers share the memory of the events, which goes to the socket unchanged. */
export class NodeSink implements Sink {
  readonly #response: ServerResponse
  readonly #out: Writable

  /** `out` is the socket itself if bytes that are written to it reach the reader unchanged. */
  constructor(response: ServerResponse, out: Writable) {
    this.#response = response
    this.#out = out
  }

  buffered(): number {
    return this.#out.writableLength
  }

  send(batch: EventBatch, after: number, to: number): void {
    this.write(batch.sse(after, to))
  }

  heartbeat(): void {
    this.write(toBytes(sseHeartbeat))
  }

  frame(text: string): void {
    this.write(toBytes(text))
  }

  reset(reason: ResetReason): void {
    this.write(toBytes(sseReset(reason)))
  }

  drained(): Promise<void> {
    return drained(this.#out)
  }

  end(reason: EndReason): void {
    if (reason === 'slow') this.#response.destroy()
    else this.#response.end()
  }

  protected write(bytes: Uint8Array): void {
    this.#out.write(bytes)
  }
}

/**
 * An SSE body for a response whose bytes are transformed before they reach the socket, by a compressor or by HTTP/2.
 */
export class ResponseSink extends NodeSink {
  readonly #flush: (() => void) | undefined

  constructor(response: ServerResponse) {
    super(response, response)
    // A compressor that ignores `no-transform` would otherwise buffer the event.
    if ('flush' in response && typeof response.flush === 'function') this.#flush = response.flush.bind(response)
  }

  protected override write(bytes: Uint8Array): void {
    super.write(bytes)
    this.#flush?.()
  }
}
