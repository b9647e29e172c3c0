import type { ResetReason } from '@holdpoint/core/internal'
import { NO_EPOCH } from '../../store/shared/limits.ts'
import type { EventBatch } from './event-batch.ts'
import type { EndReason, Sink } from './sink.ts'
import type { OpenedStream } from './subscriber.ts'

/** A sink that can also write frames that are not events: the body of an event stream. */
export type BodySink = Sink & Required<Pick<Sink, 'frame'>>

/** One event stream that carries the events of several sessions. Each session writes through a sink of its own. */
export class SharedStream implements OpenedStream {
  readonly epoch = NO_EPOCH
  readonly #sink: BodySink
  readonly #streams = new Set<OpenedStream>()
  /** The number of sessions whose stream has not ended. */
  #left: number
  #current: string | undefined
  #beatAt = Number.NEGATIVE_INFINITY
  #over = false

  /** `sessions` is the number of sessions that will be opened. */
  constructor(sink: BodySink, sessions: number) {
    this.#sink = sink
    this.#left = sessions
  }

  get closed(): boolean {
    return this.#over
  }

  /** Opens one session of the stream. */
  add(session: string, open: (sink: Sink) => OpenedStream): void {
    if (this.#over) return
    const stream = open(new SessionSink(session, this))
    // The sink may have ended the stream already.
    if (this.#over) stream.left()
    else this.#streams.add(stream)
  }

  /** Ends one session whose log cannot be read now. */
  refuse(session: string): void {
    this.ended(session, 'failed')
  }

  left(): void {
    if (this.#over) return
    this.#over = true
    for (const stream of this.#streams) stream.left()
  }

  get sink(): Sink {
    return this.#sink
  }

  /** Names the session of the frames that follow, unless it is named already. */
  select(session: string): void {
    if (this.#current === session) return
    this.#current = session
    this.#sink.frame(`event: session\ndata: ${JSON.stringify({ id: session })}\n\n`)
  }

  /** All sessions send their heartbeats at about the same time. One is enough. */
  heartbeat(now: number): void {
    if (now >= this.#beatAt && now - this.#beatAt < HEARTBEAT_GAP_MS) return
    this.#beatAt = now
    this.#sink.heartbeat(now)
  }

  ended(session: string, reason: EndReason): void {
    if (this.#over) return
    this.#left--
    const own = reason === 'reset' || reason === 'failed' || reason === 'unauthorized'
    if (own && reason !== 'reset') {
      this.select(session)
      this.#sink.frame('event: end\ndata: {}\n\n')
    }
    // The other sessions are not affected if one session can no longer be read. Other reasons concern the connection.
    if (own && this.#left > 0) return
    this.left()
    this.#sink.end(reason)
  }
}

const HEARTBEAT_GAP_MS = 500

class SessionSink implements Sink {
  readonly #session: string
  readonly #shared: SharedStream

  constructor(session: string, shared: SharedStream) {
    this.#session = session
    this.#shared = shared
  }

  buffered(): number {
    return this.#shared.sink.buffered()
  }

  send(batch: EventBatch, after: number, to: number): void {
    this.#shared.select(this.#session)
    this.#shared.sink.send(batch, after, to)
  }

  heartbeat(now: number): void {
    this.#shared.heartbeat(now)
  }

  reset(reason: ResetReason): void {
    this.#shared.select(this.#session)
    this.#shared.sink.reset(reason)
  }

  drained(): Promise<void> {
    return this.#shared.sink.drained()
  }

  end(reason: EndReason): void {
    this.#shared.ended(this.#session, reason)
  }
}
