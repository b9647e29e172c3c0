import type { EventBatch } from './event-batch.ts'
import type { Sink } from './sink.ts'

/** A reader that follows a log, and its callbacks. */
export interface LiveReader {
  end(reason: 'slow' | 'failed'): void
}

export interface LiveLimits {
  /** The number of unread bytes at which a slow reader is disconnected. */
  maxBuffered: number
}

/**
 * The readers that have received the complete log. All of them are at its end, so no reader needs its own position. An
 * event that is sent to thousands of readers therefore updates nothing but their sinks.
 */
export class LiveReaders {
  readonly #readers = new Map<Sink, LiveReader>()
  readonly #maxBuffered: number
  readonly #onProblem: (error: unknown) => void
  /** Readers that joined while a batch was being passed on. They have received that batch already. */
  #joined: [Sink, LiveReader][] | undefined

  constructor(options: LiveLimits & { onProblem(error: unknown): void }) {
    this.#maxBuffered = options.maxBuffered
    this.#onProblem = options.onProblem
  }

  add(sink: Sink, reader: LiveReader): void {
    if (this.#joined) this.#joined.push([sink, reader])
    else this.#readers.set(sink, reader)
  }

  delete(sink: Sink): void {
    this.#readers.delete(sink)
    this.#joined = this.#joined?.filter(([joined]) => joined !== sink)
  }

  /** Passes the next batch to all readers. */
  hand(batch: EventBatch): void {
    this.#joined = []
    try {
      for (const sink of this.#readers.keys()) this.#handTo(sink, batch)
    } finally {
      const joined = this.#joined
      this.#joined = undefined
      for (const [sink, reader] of joined) this.#readers.set(sink, reader)
    }
  }

  #handTo(sink: Sink, batch: EventBatch): void {
    try {
      if (sink.buffered() > this.#maxBuffered) this.#readers.get(sink)?.end('slow')
      else sink.send(batch, batch.first - 1, batch.last)
    } catch (error) {
      // An event that cannot be passed must not become a gap: the reader reconnects and receives it again.
      this.#readers.get(sink)?.end('failed')
      this.#onProblem(error)
    }
  }
}
