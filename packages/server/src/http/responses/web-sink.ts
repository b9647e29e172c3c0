import { type ResetReason, sseHeartbeat, sseReset, sseRetry } from '@holdpoint/core/internal'
import { toBytes } from '../hub/bytes.ts'
import type { EventBatch } from '../hub/event-batch.ts'
import type { EndReason, Sink } from '../hub/sink.ts'

const highWaterMark = 16 * 1024

/** An SSE body as a web stream, for runtimes that only have Request and Response. */
export class WebSink implements Sink {
  readonly stream: ReadableStream<Uint8Array>
  /** Called when the reader disconnects. The code that opens the stream sets it, to end the subscription. */
  onGone: () => void = () => {}
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined
  #waiting: (() => void)[] = []

  constructor(retryMs: number) {
    this.stream = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller
          controller.enqueue(toBytes(sseRetry(retryMs)))
        },
        pull: () => this.#wake(),
        cancel: () => this.gone(),
      },
      new ByteLengthQueuingStrategy({ highWaterMark }),
    )
  }

  buffered(): number {
    return Math.max(0, highWaterMark - (this.#controller?.desiredSize ?? highWaterMark))
  }

  send(batch: EventBatch, after: number, to: number): void {
    this.#controller?.enqueue(batch.sse(after, to))
  }

  heartbeat(): void {
    this.#controller?.enqueue(toBytes(sseHeartbeat))
  }

  frame(text: string): void {
    this.#controller?.enqueue(toBytes(text))
  }

  reset(reason: ResetReason): void {
    this.#controller?.enqueue(toBytes(sseReset(reason)))
  }

  drained(): Promise<void> {
    if (!this.#controller || this.buffered() < highWaterMark) return Promise.resolve()
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  end(reason: EndReason): void {
    const controller = this.#controller
    this.#controller = undefined
    // An error drops the queued bytes, so that a slow reader stops using memory.
    if (reason === 'slow') controller?.error(new Error('The reader was too slow and was cut off; it may resume.'))
    else controller?.close()
    this.#wake()
  }

  /** Called when the reader has disconnected. */
  gone(): void {
    this.#controller = undefined
    this.#wake()
    this.onGone()
  }

  #wake(): void {
    const waiting = this.#waiting
    this.#waiting = []
    for (const resolve of waiting) resolve()
  }
}
