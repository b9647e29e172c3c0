import { eventTag, type ResetReason } from '@holdpoint/core/internal'
import type { Principal } from '../../base/principal.ts'
import type { EventBatch } from './event-batch.ts'
import type { LiveReaders } from './live-readers.ts'
import type { LogReader } from './log-reader.ts'
import { decideResume } from './resume.ts'
import type { EndReason, Sink } from './sink.ts'

/** The parameters of a stream. */
export interface Opening {
  readonly partition: string
  /** The last event that the reader has; null for none. */
  readonly cursor: string | null
  readonly principal: Principal
  readonly sink: Sink
  /** Called periodically while the stream is open. Returns whether the principal may still read. */
  reauthorize(): Promise<boolean>
  /** Called when the client has shown that it is still connected. */
  beat?(): void
  /** Called exactly once, when the stream ends for any reason. */
  ended?(): void
}

/** The session that a subscriber reads. */
export interface Followed {
  readonly reader: LogReader
  /** The readers that have caught up; a subscriber joins them at the end of the log. */
  readonly live: LiveReaders
  forget(subscriber: Subscriber): void
}

/** A stream from the view of the channel that opened it. */
export interface OpenedStream {
  readonly closed: boolean
  /** The epoch of the log that it reads. */
  readonly epoch: string
  /** Ends the subscription, because the reader has disconnected. */
  left(): void
}

export interface SubscriberLimits {
  /** The approximate number of bytes that a reader receives at once while it catches up. */
  pieceSize: number
}

/**
 * One reader's position in a log. It first catches up at the reader's own pace, and then joins the live readers. There
 * is no `await` in between, so no event is lost or sent twice.
 */
export class Subscriber implements OpenedStream {
  readonly opening: Opening
  /** The time of the next authorization, by the clock's `elapsed`. */
  checkAt = 0
  closed = false
  readonly #followed: Followed
  readonly #limits: SubscriberLimits
  /**
   * The last event that was sent while catching up. A live subscriber does not update it, because it is always at the
   * log's end.
   */
  #position = 0
  #stalledBeats = 0
  #bufferedAtBeat = 0

  constructor(opening: Opening, followed: Followed, limits: SubscriberLimits) {
    this.opening = opening
    this.#followed = followed
    this.#limits = limits
  }

  /**
   * Catches up and goes live. Returns undefined if all events were in memory, otherwise a promise that resolves then.
   */
  start(): Promise<void> | undefined {
    const resume = decideResume(this.opening.cursor, this.reader)
    if ('reset' in resume) {
      this.reset(resume.reset)
      return undefined
    }
    const { after, expect } = resume
    this.#position = after
    const known = expect === undefined || this.#textAt(after) !== undefined
    if (!known) return this.#catchUp(after, expect)
    if (this.#sameHistory(this.#textAt(after), expect) && !this.#advance(undefined)) return this.#catchUp()
    return undefined
  }

  /**
   * Sends a heartbeat. A reader that has read none of its pending bytes for two heartbeats is disconnected, because it
   * occupies memory.
   */
  heartbeat(now: number): void {
    const sink = this.#sink
    const buffered = sink.buffered()
    const stalled = buffered > 0 && this.#bufferedAtBeat > 0 && buffered >= this.#bufferedAtBeat
    this.#stalledBeats = stalled ? this.#stalledBeats + 1 : 0
    this.#bufferedAtBeat = buffered
    if (this.#stalledBeats >= 2) this.end('slow')
    else {
      if (buffered === 0) sink.heartbeat(now)
      this.opening.beat?.()
    }
  }

  reset(reason: ResetReason): void {
    if (this.closed) return
    this.#sink.reset(reason)
    this.end('reset')
  }

  /** Ends the stream from the server's side. */
  end(reason: EndReason): void {
    if (this.closed) return
    this.left()
    this.#sink.end(reason)
  }

  /** Ends the subscription, because the reader has disconnected. */
  left(): void {
    if (this.closed) return
    this.closed = true
    this.#followed.live.delete(this.#sink)
    this.#followed.forget(this)
    this.opening.ended?.()
  }

  /** Reads events that are not in memory, and pauses while the reader has too many unread bytes. */
  async #catchUp(after?: number, expect?: string): Promise<void> {
    if (after !== undefined && !this.#sameHistory((await this.reader.load(after))?.at(after)?.json, expect)) return
    let loaded: EventBatch | null | undefined
    while (!this.#advance(loaded)) {
      if (this.#clogged) await this.#sink.drained()
      else loaded = await this.reader.load(this.#position + 1)
      if (loaded === null) this.reset('trimmed')
    }
  }

  /** Writes all events that are in memory. Returns true if the subscriber is live or has ended. */
  #advance(loaded: EventBatch | null | undefined): boolean {
    const sink = this.#sink
    while (!this.closed && this.#position < this.reader.tail) {
      if (this.#clogged) return false
      const next = this.#position + 1
      const batch = loaded?.at(next) ? loaded : this.reader.cached(next)
      if (!batch) return false
      // The segment no longer contains the next event, because older events were trimmed.
      if (!batch.at(next)) this.reset('trimmed')
      else {
        // Stops at the log reader's tail, because the log reader passes later events to all live readers.
        const to = Math.min(batch.pieceEnd(this.#position, this.#limits.pieceSize), this.reader.tail)
        sink.send(batch, this.#position, to)
        this.#position = to
      }
    }
    if (!this.closed) {
      this.#followed.live.add(sink, this)
      sink.live?.()
    }
    return true
  }

  get epoch(): string {
    return this.reader.epoch
  }

  get #sink(): Sink {
    return this.opening.sink
  }

  get reader(): LogReader {
    return this.#followed.reader
  }

  get #clogged(): boolean {
    return this.#sink.buffered() >= this.#limits.pieceSize
  }

  #textAt(seq: number): string | undefined {
    return this.reader.tailAt(seq) ?? this.reader.cached(seq)?.at(seq)?.json
  }

  /** Returns whether the reader's last event belongs to this log. Resets a reader of a different history. */
  #sameHistory(json: string | undefined, expect: string | undefined): boolean {
    if (this.closed) return false
    if (expect === undefined || (json !== undefined && eventTag(json) === expect)) return true
    this.reset('forked')
    return false
  }
}
