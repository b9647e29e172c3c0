import type { ResetReason } from '@holdpoint/core/internal'
import { parseCursor } from '@holdpoint/core/wire'
import type { Clock } from '../../base/clock.ts'
import type { Appended, LogEvent, LogPage, Store } from '../../store/port.ts'
import { NO_EPOCH } from '../../store/shared/limits.ts'
import { EventBatch } from './event-batch.ts'
import type { LogBounds } from './resume.ts'
import { type Segment, type SegmentCache, segmentSize } from './segment-cache.ts'

export interface LogReaderOptions {
  store: Store
  partition: string
  cache: SegmentCache
  clock: Clock
  /** Called when the log can no longer be followed, so that all its readers must fetch a snapshot. */
  onBroken(reason: ResetReason): void
  /** Called when a read failed. The next wake or poll retries it. */
  onProblem(error: unknown): void
  /** Called with new events, in order, each exactly once. */
  onEvents(batch: EventBatch): void
}

const indexOf = (seq: number) => Math.floor((seq - 1) / segmentSize)

/**
 * The one reader of a session's log in this process, for any number of subscribers. It knows the log's end (`tail`),
 * reads new events when it is woken, and shares older events between subscribers that catch up.
 */
export class LogReader implements LogBounds {
  epoch = ''
  floor = 1
  /** The `seq` of the last event that was passed to subscribers. */
  tail = 0
  /** True when the log's end is known. */
  ready = false
  closed = false
  readonly #options: LogReaderOptions
  #tailJson: string | undefined
  #again = false
  #following: Promise<void> | undefined
  readonly #segments = new Map<number, Segment>()
  readonly #loading = new Map<number, Promise<EventBatch | null>>()

  constructor(options: LogReaderOptions) {
    this.#options = options
  }

  get head(): number {
    return this.tail
  }

  /** Finds the log's end. If `near`, the position of the first subscriber, is close to the end, one read is enough. */
  async start(near: number): Promise<void> {
    let page = await this.#read(Math.max(1, near), segmentSize)
    if (page.head > 0 && page.events.at(-1)?.seq !== page.head) page = await this.#read(page.head, segmentSize)
    this.epoch = page.epoch
    this.floor = page.floor
    this.tail = page.events.at(-1)?.seq ?? page.head
    this.#tailJson = page.events.at(-1)?.json
    this.ready = true
  }

  /**
   * Reads the log, because something may have been appended. Resolves after a read that began no earlier than this
   * call.
   */
  wake(): Promise<void> {
    this.#again = true
    if (!this.closed) this.#following ??= this.#followUp()
    return this.#following ?? Promise.resolve()
  }

  /**
   * Passes this process's own commit to all readers without querying the store. Returns false, without effect, if the
   * commit does not directly follow the known log, or if a read is in progress.
   */
  append(own: readonly Appended[]): boolean {
    if (this.#following) return false
    let next = this.tail + 1
    for (const { epoch, firstSeq, events } of own) {
      if (epoch !== this.epoch || (events.length > 0 && firstSeq !== next)) return false
      next += events.length
    }
    const events = own.flatMap(({ firstSeq, events }) => events.map((json, index) => ({ seq: firstSeq + index, json })))
    if (events.length > 0) this.#hand(new EventBatch(this.epoch, events))
    return true
  }

  /**
   * Returns whether a reader with this cursor has seen more of this history than this log reader, for example on
   * another node.
   */
  isBehind(cursor: string | null): boolean {
    const known = parseCursor(cursor)
    return known !== null && known.epoch === this.epoch && known.seq > this.tail
  }

  /**
   * Returns the JSON of the last event if `seq` is the last one. Most readers that reconnect have missed nothing, so
   * this avoids a read.
   */
  tailAt(seq: number): string | undefined {
    return seq === this.tail ? this.#tailJson : undefined
  }

  /** Returns the cached segment that contains the event at `seq`. Its events are complete up to `tail`. */
  cached(seq: number): EventBatch | undefined {
    const segment = this.#segments.get(indexOf(seq))
    if (segment) this.#options.cache.touch(segment, this.#options.clock.elapsed())
    return segment?.batch
  }

  /**
   * Returns the same segment from the store; concurrent calls share one read. Returns null if the events were trimmed,
   * or if the log has a different epoch.
   */
  load(seq: number): Promise<EventBatch | null> {
    const index = indexOf(seq)
    const running = this.#loading.get(index)
    if (running) return running
    const loading = this.#load(index).finally(() => this.#loading.delete(index))
    this.#loading.set(index, loading)
    return loading
  }

  close(): void {
    this.closed = true
    for (const segment of this.#segments.values()) this.#options.cache.remove(segment)
    this.#segments.clear()
  }

  /** Reads new events. All calls during a read cause one more read in total. */
  async #followUp(): Promise<void> {
    try {
      while (this.#again && !this.closed) {
        this.#again = false
        // Starts at the last known event, because its text shows whether this is still the same history.
        const page = await this.#read(Math.max(1, this.tail), segmentSize)
        if (!this.closed && this.#follow(page)) this.#again = true
      }
    } catch (error) {
      this.#options.onProblem(error)
    } finally {
      this.#following = undefined
    }
  }

  #read(from: number, limit: number): Promise<LogPage> {
    return this.#options.store.readLog(this.#options.partition, { from, limit })
  }

  /** Passes on the new events of a page. Returns true if the log has more events to read. */
  #follow(page: LogPage): boolean {
    const broken = this.#discontinuity(page)
    if (broken) {
      this.#options.onBroken(broken)
      return false
    }
    this.floor = page.floor
    const fresh = page.events.filter((event) => event.seq > this.tail)
    if (fresh.length === 0) return false
    this.#hand(new EventBatch(page.epoch, fresh))
    return this.tail < page.head
  }

  #hand(batch: EventBatch): void {
    this.tail = batch.last
    this.#tailJson = batch.events.at(-1)?.json
    this.#extendSegments(batch)
    this.#options.onEvents(batch)
  }

  #discontinuity(page: LogPage): ResetReason | null {
    if (this.epoch === NO_EPOCH) this.epoch = page.epoch
    if (page.epoch !== this.epoch) return 'epoch'
    if (page.head < this.tail) return 'ahead'
    const [first] = page.events
    if (first?.seq === this.tail) return first.json === this.#tailJson ? null : 'forked'
    const next = this.tail + 1
    return page.head >= next && first?.seq !== next ? 'trimmed' : null
  }

  #extendSegments(batch: EventBatch): void {
    for (let index = indexOf(batch.first); index <= indexOf(batch.last); index++) {
      const segment = this.#segments.get(index)
      if (!segment) continue
      const end = (index + 1) * segmentSize
      const { last } = segment.batch
      const more = batch.events.filter((event) => event.seq > last && event.seq <= end)
      if (more.length > 0) this.#options.cache.extend(segment, more)
    }
  }

  async #load(index: number): Promise<EventBatch | null> {
    const end = (index + 1) * segmentSize
    const events: LogEvent[] = []
    let from = index * segmentSize + 1
    // The tail may advance while the store answers. The segment must reach the tail, or a reader would see a gap.
    do {
      const page = await this.#read(from, end - from + 1)
      if (this.closed || page.epoch !== this.epoch || page.events.length === 0) return null
      for (const event of page.events) events.push(event)
      from = (events.at(-1)?.seq ?? end) + 1
    } while (from <= Math.min(end, this.tail))
    const batch = new EventBatch(this.epoch, events)
    const segment: Segment = { batch, usedAt: this.#options.clock.elapsed(), drop: () => this.#segments.delete(index) }
    this.#segments.set(index, segment)
    this.#options.cache.add(segment)
    // Another process appended events, and the notification was late or lost.
    if (batch.last > this.tail) void this.wake()
    return batch
  }
}
