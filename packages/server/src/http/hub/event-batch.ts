import { sseFrame } from '@holdpoint/core/internal'
import { cursorAt } from '@holdpoint/core/wire'
import type { LogEvent } from '../../store/port.ts'
import { type Bytes, joinBytes, toBytes } from './bytes.ts'

/**
 * Consecutive events of one log. Each wire format is encoded once, on its first use, and all readers share the same
 * memory. This is safe because all readers of a session receive identical bytes.
 */
export class EventBatch {
  readonly epoch: string
  readonly events: readonly LogEvent[]
  readonly first: number
  readonly last: number
  #weight: number | undefined
  #sse: { bytes: Bytes; ends: readonly number[] } | undefined
  #texts: string[] | undefined
  #frames: Bytes[] | undefined

  /** `events` are consecutive, and at least one. */
  constructor(epoch: string, events: readonly LogEvent[]) {
    this.epoch = epoch
    this.events = events
    this.first = events[0]?.seq ?? 1
    this.last = this.first + events.length - 1
  }

  /** The approximate memory cost of the batch, in characters of JSON. */
  get weight(): number {
    this.#weight ??= this.events.reduce((sum, { json }) => sum + json.length, 0)
    return this.#weight
  }

  /** Returns the event at `seq`, or undefined if the batch does not contain it. */
  at(seq: number): LogEvent | undefined {
    return this.events[seq - this.first]
  }

  /**
   * Returns the last `seq` of a piece of about `size` characters that starts after `after`. A piece has at least one
   * event.
   */
  pieceEnd(after: number, size: number): number {
    // A fast path: when many readers reconnect, all of them request the same batch, and usually the whole batch fits.
    if (this.weight <= size) return this.last
    let seq = Math.max(after + 1, this.first)
    let sum = this.at(seq)?.json.length ?? 0
    while (seq < this.last && sum < size) {
      seq++
      sum += this.at(seq)?.json.length ?? 0
    }
    return Math.min(seq, this.last)
  }

  /** Returns the events `after < seq <= to` as `text/event-stream`, as a view of memory that all readers share. */
  sse(after: number, to: number): Bytes {
    this.#sse ??= this.#encodeSse()
    const { bytes, ends } = this.#sse
    if (after < this.first && to >= this.last) return bytes
    const begin = after < this.first ? 0 : ends[after - this.first]
    return bytes.subarray(begin, ends[to - this.first])
  }

  /** The event at `seq` as one JSON frame `{ cursor, event }`. */
  frameText(seq: number): string {
    this.#texts ??= this.events.map((event) => `{"cursor":"${cursorAt(this.epoch, event)}","event":${event.json}}`)
    return this.#texts[seq - this.first] ?? ''
  }

  /** Returns `frameText` as bytes. */
  frame(seq: number): Bytes {
    this.#frames ??= this.events.map((event) => toBytes(this.frameText(event.seq)))
    return this.#frames[seq - this.first] ?? toBytes('')
  }

  #encodeSse() {
    const parts = this.events.map((event) => toBytes(sseFrame(cursorAt(this.epoch, event), event.json)))
    let end = 0
    const ends = parts.map((part) => {
      end += part.length
      return end
    })
    const [only] = parts
    return { bytes: parts.length === 1 && only ? only : joinBytes(parts), ends }
  }
}
