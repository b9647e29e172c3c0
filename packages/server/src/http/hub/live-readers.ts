import type { EventBatch } from './event-batch.ts'
import type { Sink } from './sink.ts'

/** What somebody who follows a log as it grows can be told about. */
export interface LiveReader {
  end(reason: 'slow' | 'failed'): void
}

export interface LiveLimits {
  /** Bytes that may wait for a reader before it is cut. */
  maxBuffered: number
}

/**
 * Those who have all of one log and are handed what comes as it comes. All of them are at its end, so none has a place
 * of its own to be looked at or moved: for each event this walks through thousands.
 */
export class LiveReaders {
  readonly #readers = new Map<Sink, LiveReader>()
  readonly #maxBuffered: number
  readonly #onProblem: (error: unknown) => void
  /** Who came in the middle of handing something out: it has that already. */
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

  /** Hands on what follows on everything that they have. */
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
