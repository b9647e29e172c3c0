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
  /** Asked again and again while the stream is open: may this person still read? */
  reauthorize(): Promise<boolean>
  /** The client is still there. */
  beat?(): void
  /** Called once, however it ended. */
  ended?(): void
}

/** The session that a stream is of, as far as its reader is concerned. */
export interface Followed {
  readonly reader: LogReader
  /** Where a reader goes that has caught up. */
  readonly live: LiveReaders
  forget(subscriber: Subscriber): void
}

/** A stream as the channel sees it that opened it. */
export interface OpenedStream {
  readonly closed: boolean
  /** The epoch of the log that it reads. */
  readonly epoch: string
  /** The reader went away by itself. */
  left(): void
}

export interface SubscriberLimits {
  /** About how many bytes a reader that catches up receives at once. */
  pieceSize: number
}

/**
 * One reader's place in a log. It first catches up, at the reader's own pace, and steps over to live events without
 * an `await` in between: so nothing can be lost or doubled there.
 */
export class Subscriber implements OpenedStream {
  readonly opening: Opening
  /** When it is due, by the clock's `elapsed`. */
  checkAt = 0
  closed = false
  readonly #followed: Followed
  readonly #limits: SubscriberLimits
  /** The last event that it was handed, until it is live: from then on it has what the log's reader has. */
  #position = 0
  #stalledBeats = 0
  #bufferedAtBeat = 0

  constructor(opening: Opening, followed: Followed, limits: SubscriberLimits) {
    this.opening = opening
    this.#followed = followed
    this.#limits = limits
  }

  /** Catches up and goes live: at once where everything is at hand, else by the end of the promise. */
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
   * Sends a heartbeat. A reader that has read nothing of its waiting bytes since two heartbeats is disconnected,
   * because it only costs memory.
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

  /** The server's side ends it. */
  end(reason: EndReason): void {
    if (this.closed) return
    this.left()
    this.#sink.end(reason)
  }

  /** The reader went away by itself. */
  left(): void {
    if (this.closed) return
    this.closed = true
    this.#followed.live.delete(this.#sink)
    this.#followed.forget(this)
    this.opening.ended?.()
  }

  /** Reads what is not at hand, and waits while the reader is busy with what it has. */
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
      // Its floor has risen above what this reader still needs.
      if (!batch.at(next)) this.reset('trimmed')
      else {
        // The log reader passes events that it has not reached yet to all live readers.
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

  /** Resets who comes from another history. */
  #sameHistory(json: string | undefined, expect: string | undefined): boolean {
    if (this.closed) return false
    if (expect === undefined || (json !== undefined && eventTag(json) === expect)) return true
    this.reset('forked')
    return false
  }
}
