import type { ResetReason } from '@holdpoint/core/internal'
import { parseCursor } from '@holdpoint/core/wire'
import type { Clock } from '../../base/clock.ts'
import { RevocationLog, type UserRef } from '../../security/revocations.ts'
import type { Appended, Store } from '../../store/port.ts'
import { NO_EPOCH } from '../../store/shared/limits.ts'
import { type LiveLimits, LiveReaders } from './live-readers.ts'
import { LogReader } from './log-reader.ts'
import { SegmentCache } from './segment-cache.ts'
import { type Opening, Subscriber, type SubscriberLimits } from './subscriber.ts'

export interface HubTimes {
  /** Milliseconds between two heartbeats on an idle stream. */
  heartbeatMs: number
  /** Milliseconds between two reads of a log without a notification, in case notifications get lost. */
  pollMs: number
  /** Milliseconds after which an open stream is authorized again. */
  reauthorizeMs: number
  /** Milliseconds to wait for more events before writing; 0 writes at once. */
  coalesceMs: number
}

export interface HubOptions extends HubTimes, SubscriberLimits, LiveLimits {
  store: Store
  /** The id of this process among those that share the store. */
  node: string
  clock: Clock
  /** Bytes of log kept for readers that catch up, over all sessions. */
  cacheSize: number
  onProblem(error: unknown): void
}

/** Facts about a session that do not change while its log exists. */
export interface Known {
  owner?: string
}

interface Session {
  partition: string
  reader: LogReader
  started: Promise<void>
  subscribers: Set<Subscriber>
  /** The subscribers that have caught up. */
  live: LiveReaders
  /** Facts about the session, read since this process began to follow its log. They stay valid while it does. */
  known: Known
  /** The timer of a delayed wake-up that collects more notifications (`coalesceMs`). */
  coalescing: unknown
  pollAt: number
  forget(subscriber: Subscriber): void
}

/**
 * All open streams of this process, with one log reader for each session, and one timer and one store subscription in
 * total.
 */
export class Hub {
  readonly #options: HubOptions
  readonly #sessions = new Map<string, Session>()
  readonly #cache: SegmentCache
  readonly #tickMs: number
  readonly #revocations: RevocationLog
  #revocationsAt = 0
  #unsubscribe: (() => void) | undefined
  #timer: unknown
  #heartbeatAt = 0
  #closed = false

  constructor(options: HubOptions) {
    this.#options = options
    this.#cache = new SegmentCache(options.cacheSize)
    const { store, node, onProblem } = options
    const revoke = (who: UserRef) => this.revoke(who)
    const users = () => this.#all().map(({ opening }) => opening.principal)
    this.#revocations = new RevocationLog({ store, node, users, revoke, onProblem })
    this.#tickMs = Math.min(1_000, options.heartbeatMs, options.pollMs)
  }

  /** The number of open and cached objects, for tests and health checks. */
  get size(): { sessions: number; streams: number; cached: number } {
    let streams = 0
    for (const session of this.#sessions.values()) streams += session.subscribers.size
    return { sessions: this.#sessions.size, streams, cached: this.#cache.weight }
  }

  /** Starts a stream and returns its subscriber. Events go to the sink of the opening. */
  open(opening: Opening): Subscriber {
    const session = this.#sessions.get(opening.partition) ?? this.#start(opening)
    const subscriber = new Subscriber(opening, session, this.#options)
    subscriber.checkAt = Math.floor(this.#options.clock.elapsed()) + this.#options.reauthorizeMs
    session.subscribers.add(subscriber)
    if (this.#closed) subscriber.end('shutdown')
    else this.#run(session, subscriber)
    return subscriber
  }

  /** Returns the facts about a session whose log is followed here; undefined if it is not, or not yet. */
  followed(partition: string): Known | undefined {
    const session = this.#sessions.get(partition)
    return session?.reader.ready && session.reader.epoch !== NO_EPOCH ? session.known : undefined
  }

  /** Ends all streams of a user at once. */
  revoke(who: { userId: string; tenant?: string }): void {
    for (const subscriber of this.#all()) {
      const { userId, tenant } = subscriber.opening.principal
      if (userId === who.userId && (who.tenant === undefined || who.tenant === (tenant ?? '')))
        subscriber.end('revoked')
    }
  }

  close(): void {
    this.#closed = true
    for (const subscriber of this.#all()) subscriber.end('shutdown')
  }

  #all(): Subscriber[] {
    return [...this.#sessions.values()].flatMap((session) => [...session.subscribers])
  }

  #start(opening: Opening): Session {
    const { store, clock } = this.#options
    const { partition } = opening
    const reader = new LogReader({
      store,
      partition,
      cache: this.#cache,
      clock,
      onBroken: (reason) => this.#broken(session, reason),
      onProblem: this.#options.onProblem,
      onEvents: (batch) => session.live.hand(batch),
    })
    // Subscribes before the log's end is read, so that an event appended in between is notified and not missed.
    this.#listen()
    const session: Session = {
      partition,
      reader,
      started: reader.start(parseCursor(opening.cursor)?.seq ?? 1),
      subscribers: new Set(),
      live: new LiveReaders(this.#options),
      known: {},
      coalescing: undefined,
      pollAt: clock.elapsed() + this.#options.pollMs,
      forget: (subscriber) => {
        session.subscribers.delete(subscriber)
        if (session.subscribers.size === 0) this.#forget(session)
      },
    }
    this.#sessions.set(partition, session)
    return session
  }

  async #run(session: Session, subscriber: Subscriber): Promise<void> {
    try {
      if (!session.reader.ready) await session.started
      // The reader may have received events from another node that this node was not notified of yet. Only the store
      // shows whether its cursor is valid.
      if (session.reader.isBehind(subscriber.opening.cursor)) await session.reader.wake()
      if (!subscriber.closed) await subscriber.start()
    } catch (error) {
      this.#options.onProblem(error)
      subscriber.end('failed')
    }
  }

  #forget(session: Session): void {
    session.reader.close()
    this.#options.clock.clearTimeout(session.coalescing)
    if (this.#sessions.get(session.partition) === session) this.#sessions.delete(session.partition)
    if (this.#sessions.size > 0) return
    this.#unsubscribe?.()
    this.#unsubscribe = undefined
    this.#options.clock.clearTimeout(this.#timer)
    this.#timer = undefined
  }

  #broken(session: Session, reason: ResetReason): void {
    for (const subscriber of session.subscribers) subscriber.reset(reason)
  }

  #listen(): void {
    this.#unsubscribe ??= this.#options.store.subscribe((partitions, own) => {
      for (const partition of partitions) {
        if (this.#revocations.is(partition)) this.#revocations.wake()
        const session = this.#sessions.get(partition)
        if (session) this.#wake(session, own.get(partition))
      }
    })
    if (this.#timer === undefined) {
      this.#revocations.begin()
      this.#revocationsAt = this.#options.clock.elapsed() + this.#options.pollMs
      this.#heartbeatAt = this.#options.clock.elapsed() + this.#options.heartbeatMs
      this.#arm()
    }
  }

  #wake(session: Session, own: readonly Appended[] | undefined): void {
    const { clock, coalesceMs } = this.#options
    if (coalesceMs === 0) {
      if (!own || !session.reader.append(own)) this.#read(session)
      return
    }
    session.coalescing ??= clock.setTimeout(() => {
      session.coalescing = undefined
      this.#read(session)
    }, coalesceMs)
  }

  async #read(session: Session): Promise<void> {
    session.pollAt = this.#options.clock.elapsed() + this.#options.pollMs
    try {
      await session.started
    } catch {
      return // the caller of the start receives the error
    }
    await session.reader.wake()
  }

  #arm(): void {
    this.#timer = this.#options.clock.setTimeout(() => this.#tick(), this.#tickMs)
  }

  #tick(): void {
    const { clock } = this.#options
    const now = clock.elapsed()
    const beat = now >= this.#heartbeatAt
    if (beat) this.#heartbeatAt = now + this.#options.heartbeatMs
    for (const session of this.#sessions.values()) {
      if (now >= session.pollAt) this.#read(session)
      for (const subscriber of session.subscribers) {
        if (beat) subscriber.heartbeat(clock.now())
        // Authorizes again one tick too early rather than one too late.
        if (now + this.#tickMs > subscriber.checkAt) this.#reauthorize(subscriber, now)
      }
    }
    if (now >= this.#revocationsAt) {
      this.#revocationsAt = now + this.#options.pollMs
      this.#revocations.wake()
    }
    if (beat) this.#cache.dropUnused(now - this.#options.heartbeatMs)
    if (this.#sessions.size > 0) this.#arm()
  }

  async #reauthorize(subscriber: Subscriber, now: number): Promise<void> {
    subscriber.checkAt = Math.floor(now) + this.#options.reauthorizeMs
    let allowed = false
    try {
      allowed = await subscriber.opening.reauthorize()
    } catch (error) {
      // If authorization throws, the stream ends. The client reconnects and is authorized again.
      this.#options.onProblem(error)
    }
    if (!allowed) subscriber.end('unauthorized')
  }
}
