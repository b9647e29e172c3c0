import type { LogEvent } from '../../store/port.ts'
import { EventBatch } from './event-batch.ts'

/**
 * The number of events in a segment. Segments are aligned, so that readers with different cursors share what was read
 * and encoded.
 */
export const segmentSize = 128

/** Consecutive events of one log. The last segment of a log still grows. */
export interface Segment {
  batch: EventBatch
  usedAt: number
  drop(): void
}

/**
 * The events that readers share while they catch up, over all sessions of a process. Its size is limited in bytes, and
 * the least recently used entry is dropped first. It only contains copies of the store's log, so dropping an entry
 * costs a read and never an event.
 */
export class SegmentCache {
  readonly #maxWeight: number
  readonly #segments = new Set<Segment>()
  #weight = 0

  constructor(maxWeight: number) {
    this.#maxWeight = maxWeight
  }

  get weight(): number {
    return this.#weight
  }

  add(segment: Segment): void {
    this.#segments.add(segment)
    this.#weight += segment.batch.weight
    this.#evict(segment)
  }

  /** Marks a segment as just used. */
  touch(segment: Segment, now: number): void {
    segment.usedAt = now
    this.#segments.delete(segment)
    this.#segments.add(segment)
  }

  /** Appends new events to a cached segment. */
  extend(segment: Segment, events: readonly LogEvent[]): void {
    const { batch } = segment
    segment.batch = new EventBatch(batch.epoch, [...batch.events, ...events])
    this.#weight += segment.batch.weight - batch.weight
    this.#evict(segment)
  }

  remove(segment: Segment): void {
    if (this.#segments.delete(segment)) this.#weight -= segment.batch.weight
  }

  /** Drops entries that were unused since `before`, so that an idle session keeps nothing. */
  dropUnused(before: number): void {
    for (const segment of this.#segments) if (segment.usedAt < before) this.#drop(segment)
  }

  #evict(kept: Segment): void {
    for (const segment of this.#segments) {
      if (this.#weight <= this.#maxWeight) return
      if (segment !== kept) this.#drop(segment)
    }
  }

  #drop(segment: Segment): void {
    this.remove(segment)
    segment.drop()
  }
}
