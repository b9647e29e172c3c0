import type { Clock } from '../../base/clock.ts'
import type { Principal } from '../../base/principal.ts'
import type { SessionRecord } from '../../engine/api/engine.ts'
import type { Store } from '../../store/port.ts'
import { NO_EPOCH } from '../../store/shared/limits.ts'
import type { HubTimes } from '../hub/hub.ts'
import type { EndReason, Sink } from '../hub/sink.ts'
import type { OpenedStream } from '../hub/subscriber.ts'

/** A stream of a session that its principal cannot read: it does not exist yet, or it belongs to another user. */
export interface WaitingRequest {
  partition: string
  principal: Principal
  sink: Sink
  reauthenticate(): Promise<boolean>
  /** The session, once this principal may read it. */
  find(): Promise<SessionRecord | null>
  /** Opens the stream of the session that was found. */
  open(session: SessionRecord): OpenedStream
  /** Called once, when the stream stops waiting. */
  ended(): void
}

interface WaitingOptions extends Pick<HubTimes, 'heartbeatMs' | 'pollMs' | 'reauthorizeMs'> {
  store: Store
  clock: Clock
  onProblem(error: unknown): void
}

/**
 * The pause after a check that found nothing. It doubles, so that a stranger's stream adds little load to a busy
 * session.
 */
const FIRST_PAUSE_MS = 250
const MAX_PAUSE_MS = 5_000

/**
 * Streams that are open and empty. A commit in their partition triggers a check whether the principal may now read the
 * session. Until then they carry only heartbeats, so that they do not reveal whether the session exists.
 */
export class WaitingStreams {
  readonly #options: WaitingOptions
  readonly #streams = new Set<WaitingStream>()
  readonly #tickMs: number
  #unsubscribe: (() => void) | undefined
  #timer: unknown
  #heartbeatAt = 0
  #closed = false

  constructor(options: WaitingOptions) {
    this.#options = options
    this.#tickMs = Math.min(1_000, options.heartbeatMs, options.pollMs)
  }

  get size(): number {
    return this.#streams.size
  }

  open(request: WaitingRequest): OpenedStream {
    const { clock, pollMs, reauthorizeMs, onProblem } = this.#options
    const stream = new WaitingStream(request, { clock, pollMs, reauthorizeMs, onProblem }, () => this.#forget(stream))
    if (this.#closed) {
      stream.end('shutdown')
      return stream
    }
    this.#streams.add(stream)
    this.#listen()
    request.sink.live?.()
    stream.begin()
    return stream
  }

  /** Ends the streams of a user at once. */
  revoke({ userId, tenant }: { userId: string; tenant?: string }): void {
    for (const stream of [...this.#streams]) {
      const { principal } = stream.request
      if (principal.userId === userId && (tenant === undefined || tenant === (principal.tenant ?? '')))
        stream.end('revoked')
    }
  }

  close(): void {
    this.#closed = true
    for (const stream of [...this.#streams]) stream.end('shutdown')
  }

  #listen(): void {
    const { store, clock, heartbeatMs } = this.#options
    this.#unsubscribe ??= store.subscribe((partitions) => {
      const changed = new Set(partitions)
      for (const stream of this.#streams) if (changed.has(stream.request.partition)) stream.wake()
    })
    if (this.#timer !== undefined) return
    this.#heartbeatAt = clock.elapsed() + heartbeatMs
    this.#timer = clock.setTimeout(() => this.#tick(), this.#tickMs)
  }

  #tick(): void {
    const { clock, heartbeatMs } = this.#options
    const now = clock.elapsed()
    const beat = now >= this.#heartbeatAt
    if (beat) this.#heartbeatAt = now + heartbeatMs
    for (const stream of [...this.#streams]) stream.tick(beat)
    this.#timer = this.#streams.size > 0 ? clock.setTimeout(() => this.#tick(), this.#tickMs) : undefined
  }

  #forget(stream: WaitingStream): void {
    if (!this.#streams.delete(stream) || this.#streams.size > 0) return
    this.#unsubscribe?.()
    this.#unsubscribe = undefined
    this.#options.clock.clearTimeout(this.#timer)
    this.#timer = undefined
  }
}

/** One waiting stream. When the session can be read, it opens the real stream and delegates to it. */
class WaitingStream implements OpenedStream {
  readonly request: WaitingRequest
  readonly #options: Omit<WaitingOptions, 'heartbeatMs' | 'store'>
  readonly #forget: () => void
  #opened: OpenedStream | undefined
  #over = false
  #looking = false
  #changed = false
  #pause = FIRST_PAUSE_MS / 2
  #lookAt = 0
  /** The timer of a check that a commit triggered and that waits for the pause to end. */
  #timer: unknown
  #pollAt: number
  #checkAt: number

  constructor(request: WaitingRequest, options: Omit<WaitingOptions, 'heartbeatMs' | 'store'>, forget: () => void) {
    this.request = request
    this.#options = options
    this.#forget = forget
    const now = options.clock.elapsed()
    this.#pollAt = now + options.pollMs
    this.#checkAt = now + options.reauthorizeMs
  }

  get closed(): boolean {
    return this.#opened?.closed ?? this.#over
  }

  get epoch(): string {
    return this.#opened?.epoch ?? NO_EPOCH
  }

  left(): void {
    if (this.#opened) this.#opened.left()
    else this.#finish()
  }

  end(reason: EndReason): void {
    if (this.#finish()) this.request.sink.end(reason)
  }

  /**
   * Checks once, because the session may have been created between the request's own check and the subscription to the
   * store.
   */
  begin(): void {
    void this.#look(false)
  }

  /** Triggers a check, because something was committed to the partition. */
  wake(): void {
    this.#changed = true
    if (!this.#looking) this.#lookSoon()
  }

  /** Checks at once, or when the pause after the last check has ended. */
  #lookSoon(): void {
    if (this.#over || this.#timer !== undefined) return
    const { clock } = this.#options
    const pause = this.#lookAt - clock.elapsed()
    if (pause <= 0) void this.#look()
    else
      this.#timer = clock.setTimeout(() => {
        this.#timer = undefined
        if (this.#changed && !this.#looking) void this.#look()
      }, pause)
  }

  tick(beat: boolean): void {
    const { clock, pollMs, reauthorizeMs } = this.#options
    const { sink } = this.request
    const now = clock.elapsed()
    if (beat && sink.buffered() === 0) sink.heartbeat(clock.now())
    // Polls, because a notification of the store may be lost.
    if (now >= this.#pollAt) {
      this.#pollAt = now + pollMs
      if (!this.#looking) void this.#look(false)
    }
    if (now < this.#checkAt) return
    this.#checkAt = now + reauthorizeMs
    void this.#check()
  }

  /**
   * Checks whether the session can be read. `pauses` is true for checks that a commit triggered. The first check and
   * the polls do not extend the pause, because they would delay the first question.
   */
  async #look(pauses = true): Promise<void> {
    const { clock, onProblem } = this.#options
    this.#looking = true
    this.#changed = false
    try {
      const session = await this.request.find()
      if (session && this.#finish()) this.#opened = this.request.open(session)
    } catch (error) {
      onProblem(error)
      this.end('failed')
    }
    this.#looking = false
    if (pauses) {
      this.#pause = Math.min(MAX_PAUSE_MS, this.#pause * 2)
      this.#lookAt = clock.elapsed() + this.#pause
    }
    // A commit during the check may have created the session that the check did not find.
    if (this.#changed) this.#lookSoon()
  }

  async #check(): Promise<void> {
    const same = await this.request.reauthenticate().catch((error) => this.#options.onProblem(error))
    if (!same) this.end('unauthorized')
  }

  #finish(): boolean {
    if (this.#over) return false
    this.#over = true
    this.#options.clock.clearTimeout(this.#timer)
    this.#forget()
    this.request.ended()
    return true
  }
}
