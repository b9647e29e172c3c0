import type { Commit, CommitResult, LogEvent, Put, Row, RowRef } from '../port.ts'
import { NO_EPOCH } from '../shared/limits.ts'
import { findConflict } from '../shared/version-check.ts'
import { OrderedSet } from './ordered-set.ts'
import { type Entry, PartitionRows } from './partition-rows.ts'

export interface MemoryLog {
  epoch: string
  head: number
  floor: number
  /** `events[0]` has the sequence number `floor`. */
  events: string[]
}

/** A partition as `dump` returns it. */
export interface DumpedPartition extends MemoryLog {
  name: string
  entries: Entry[]
}

interface Partition extends MemoryLog {
  rows: PartitionRows
}

/** The number of events up to which a log takes no more room than it needs. */
const FEW_EVENTS = 16

/** All partitions, and the two indexes across them: by tag and by due time. All methods are synchronous. */
export class MemoryPartitions {
  private readonly partitions = new Map<string, Partition>()
  private readonly byTag: Index = new Map()
  private readonly byDue: Index = new Map()
  private readonly newEpoch: () => string
  private serial = 0

  constructor(newEpoch: () => string) {
    this.newEpoch = newEpoch
  }

  row(ref: RowRef): Row | undefined {
    return this.entry(ref.partition, ref.kind, ref.id)?.row
  }

  log(partition: string): MemoryLog | undefined {
    return this.partitions.get(partition)
  }

  list(partition: string, kind: string, after: string | undefined, limit: number | undefined): Row[] {
    return take(this.partitions.get(partition)?.rows.list(kind, after) ?? [], limit).map(({ row }) => row)
  }

  /** Returns rows of a tag that were created after the one with this serial number. */
  tagged(tag: string, after: number | undefined, limit: number): Entry[] {
    const start = after === undefined ? undefined : placeholder(after, null)
    return take(members(this.byTag.get(tag), compareSerial, start), limit)
  }

  due(kind: string, now: number, limit: number): { rows: Row[]; next?: number } {
    const rows: Row[] = []
    for (const entry of members(this.byDue.get(kind), compareDue)) {
      const time = entry.due as number
      if (time > now || rows.length === limit) return { rows, next: time }
      rows.push(entry.row)
    }
    return { rows }
  }

  commit(item: Commit): CommitResult {
    const { partition: name, puts = [], deletes = [], events = [] } = item
    const found = this.partitions.get(name)
    const conflict = findConflict(item, (kind, id) => found?.rows.get(kind, id)?.row.version ?? 0)
    if (conflict) return { ok: false, conflict }
    const log = found ?? (puts.length + events.length > 0 ? this.create(name) : undefined)
    if (!log) return { ok: true, epoch: NO_EPOCH, firstSeq: 0, lastSeq: 0 }
    for (const put of puts) this.put(log, name, put)
    for (const { kind, id } of deletes) this.remove(log, kind, id)
    // A push into a short array takes room for many more events, and most sessions have few.
    if (log.events.length < FEW_EVENTS) log.events = log.events.concat(events)
    else for (const event of events) log.events.push(event)
    const firstSeq = events.length > 0 ? log.head + 1 : log.head
    log.head += events.length
    return { ok: true, epoch: log.epoch, firstSeq, lastSeq: log.head }
  }

  trim(partition: string, before: number): void {
    const log = this.partitions.get(partition)
    if (!log) return
    const dropped = Math.max(0, Math.min(before, log.head) - log.floor)
    log.events.splice(0, dropped)
    log.floor += dropped
  }

  rewrite(partition: string, events: readonly LogEvent[]): void {
    const log = this.partitions.get(partition)
    if (!log) return
    for (const { seq, json } of events) {
      if (seq >= log.floor && seq <= log.head) log.events[seq - log.floor] = json
    }
    log.epoch = this.newEpoch()
  }

  erase(name: string): void {
    const partition = this.partitions.get(name)
    if (!partition) return
    for (const entry of partition.rows.all()) this.unindex(entry)
    this.partitions.delete(name)
  }

  clear(): void {
    this.partitions.clear()
    this.byTag.clear()
    this.byDue.clear()
  }

  /** Returns all data as JSON values, for a store that survives a reload of its page. */
  dump(): DumpedPartition[] {
    return [...this.partitions].map(([name, { epoch, head, floor, events, rows }]) => ({
      ...{ name, epoch, head, floor, events },
      entries: rows.all(),
    }))
  }

  /** Restores the result of `dump`. There must be no partitions yet. */
  restore(dumped: readonly DumpedPartition[]): void {
    for (const { name, entries, ...log } of dumped) {
      const partition = Object.assign(this.create(name), log)
      for (const entry of entries) this.add(partition, entry)
    }
  }

  private entry(partition: string, kind: string, id: string): Entry | undefined {
    return this.partitions.get(partition)?.rows.get(kind, id)
  }

  private create(name: string): Partition {
    let partition = this.partitions.get(name)
    if (!partition) {
      partition = { epoch: this.newEpoch(), head: 0, floor: 1, events: [], rows: new PartitionRows() }
      this.partitions.set(name, partition)
    }
    return partition
  }

  private put(partition: Partition, name: string, { kind, id, data, due = null, tags = [] }: Put): void {
    const before = partition.rows.get(kind, id)
    const row = { partition: name, kind, id, version: (before?.row.version ?? 0) + 1, data }
    const ownTags = tags.length > 1 ? [...new Set(tags)].slice() : tags.slice()
    if (before) {
      this.unindex(before)
      before.row = row
      before.due = due
      before.tags = ownTags
      this.index(before)
    } else this.add(partition, { row, serial: this.serial + 1, due, tags: ownTags })
  }

  private add(partition: Partition, entry: Entry): void {
    partition.rows.add(entry)
    this.serial = Math.max(this.serial, entry.serial)
    this.index(entry)
  }

  private remove(partition: Partition, kind: string, id: string): void {
    const entry = partition.rows.get(kind, id)
    if (!entry) return
    this.unindex(entry)
    partition.rows.delete(entry)
  }

  private index(entry: Entry): void {
    for (const tag of entry.tags) index(this.byTag, tag, compareSerial, entry)
    if (entry.due !== null) index(this.byDue, entry.row.kind, compareDue, entry)
  }

  private unindex(entry: Entry): void {
    for (const tag of entry.tags) unindex(this.byTag, tag, entry)
    if (entry.due !== null) unindex(this.byDue, entry.row.kind, entry)
  }
}

/** A list with one entry is stored as that entry, because most questions and calls have their own tag. */
type Index = Map<string, Entry | OrderedSet<Entry>>
type Compare = (a: Entry, b: Entry) => number

function index(map: Index, key: string, compare: Compare, entry: Entry): void {
  const found = map.get(key)
  if (found instanceof OrderedSet) found.add(entry)
  else if (found) {
    const set = new OrderedSet(compare)
    set.add(found)
    set.add(entry)
    map.set(key, set)
  } else map.set(key, entry)
}

/** Removes an entry from a list. Empty lists are deleted, so that tags of old sessions do not accumulate. */
function unindex(map: Index, key: string, entry: Entry): void {
  const found = map.get(key)
  if (found instanceof OrderedSet) found.delete(entry)
  if (found === entry || (found instanceof OrderedSet && found.empty)) map.delete(key)
}

/** Returns the entries of a list after `start`, in order. */
function members(found: Entry | OrderedSet<Entry> | undefined, compare: Compare, start?: Entry): Iterable<Entry> {
  if (found instanceof OrderedSet) return found.after(start)
  return found && (!start || compare(start, found) < 0) ? [found] : []
}

function compareSerial(a: Entry, b: Entry): number {
  return a.serial - b.serial
}

function compareDue(a: Entry, b: Entry): number {
  return (a.due as number) - (b.due as number) || a.serial - b.serial
}

function placeholder(serial: number, due: number | null): Entry {
  return { row: { partition: '', kind: '', id: '', version: 0, data: '' }, serial, due, tags: [] }
}

function take<T>(items: Iterable<T>, limit = Number.POSITIVE_INFINITY): T[] {
  const taken: T[] = []
  for (const item of items) {
    if (taken.length >= limit) break
    taken.push(item)
  }
  return taken
}
