import type { EventBatch } from '../../../src/http/hub/event-batch.ts'
import type { EndReason, Sink } from '../../../src/http/hub/sink.ts'

/** A sink that records its writes, with a configurable speed. */
export class FakeSink implements Sink {
  readonly texts: string[] = []
  readonly buffers: Uint8Array[] = []
  readonly resets: string[] = []
  heartbeats = 0
  ended: EndReason | undefined
  isLive = false
  /** Bytes that wait; with `slow`, all written bytes wait. */
  waiting = 0
  slow = false
  #release: (() => void) | undefined

  buffered(): number {
    return this.waiting
  }

  send(batch: EventBatch, after: number, to: number): void {
    this.buffers.push(batch.sse(after, to))
    if (this.slow) this.waiting += batch.sse(after, to).length
    for (let seq = after + 1; seq <= to; seq++) {
      const event: { text?: string } = JSON.parse(batch.at(seq)?.json ?? '{}')
      this.texts.push(event.text ?? `missing ${seq}`)
    }
  }

  live(): void {
    this.isLive = true
  }

  heartbeat(): void {
    this.heartbeats++
  }

  reset(reason: string): void {
    this.resets.push(reason)
  }

  drained(): Promise<void> {
    if (this.waiting === 0) return Promise.resolve()
    return new Promise((resolve) => {
      this.#release = resolve
    })
  }

  /** The network takes everything. */
  drain(): void {
    this.slow = false
    this.waiting = 0
    this.#release?.()
  }

  end(reason: EndReason): void {
    this.ended = reason
    this.#release?.()
  }
}
