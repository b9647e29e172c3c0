import type { Commit, CommitResult, LogEvent, Put, Row, RowRef } from '../port.ts'
import { compareKeys, NO_EPOCH } from '../shared/limits.ts'
import { OrderedSet } from '../shared/ordered-set.ts'
import { findConflict } from '../shared/version-check.ts'

/** A row with the data that only the store knows. */
export interface Entry {
  row: Row
  /** Numbers rows in the order of their creation, which is the order of a tag's pages. */
  serial: number
  due: number | null
  tags: readonly string[]
}

export interface MemoryLog {
  epoch: string
  head: number
  floor: number
  /** `events[0]` has the sequence number `floor`. */
  events: string[]
}

interface Kind {
  ids: OrderedSet<string>
  entries: Map<string, Entry>
}

interface Partition extends MemoryLog {
  kinds: Map<string, Kind>
}

/** Partitions with the two lists across them, by tag and by due time. Everything is synchronous. */
export class MemoryPartitions {
  private readonly partitions = new Map<string, Partition>()
  private readonly byTag = new Map<string, OrderedSet<Entry>>()
  private readonly byDue = new Map<string, OrderedSet<Entry>>()
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
    const found = this.partitions.get(partition)?.kinds.get(kind)
    if (!found) return []
    return take(found.ids.after(after), limit).map((id) => (found.entries.get(id) as Entry).row)
  }

  /** Rows of a tag that were created after the one with this serial number. */
  tagged(tag: string, after: number | undefined, limit: number): Entry[] {
    const start = after === undefined ? undefined : placeholder(after, null)
    return take(this.byTag.get(tag)?.after(start) ?? [], limit)
  }

  due(kind: string, now: number, limit: number): { rows: Row[]; next?: number } {
    const rows: Row[] = []
    for (const entry of this.byDue.get(kind)?.after() ?? []) {
      const time = entry.due as number
      if (time > now || rows.length === limit) return { rows, next: time }
      rows.push(entry.row)
    }
    return { rows }
  }

  commit(item: Commit): CommitResult {
    const conflict = findConflict(item, (kind, id) => this.entry(item.partition, kind, id)?.row.version ?? 0)
    if (conflict) return { ok: false, conflict }
    for (const put of item.puts ?? []) this.put(this.create(item.partition), item.partition, put)
    for (const { kind, id } of item.deletes ?? []) this.remove(this.partitions.get(item.partition), kind, id)
    const events = item.events ?? []
    const log = events.length > 0 ? this.create(item.partition) : this.partitions.get(item.partition)
    if (!log) return { ok: true, epoch: NO_EPOCH, firstSeq: 0, lastSeq: 0 }
    for (const event of events) log.events.push(event)
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
    for (const [kind, { entries }] of partition.kinds) {
      for (const id of [...entries.keys()]) this.remove(partition, kind, id)
    }
    this.partitions.delete(name)
  }

  clear(): void {
    this.partitions.clear()
    this.byTag.clear()
    this.byDue.clear()
  }

  private entry(partition: string, kind: string, id: string): Entry | undefined {
    return this.partitions.get(partition)?.kinds.get(kind)?.entries.get(id)
  }

  private create(name: string): Partition {
    let partition = this.partitions.get(name)
    if (!partition) {
      partition = { epoch: this.newEpoch(), head: 0, floor: 1, events: [], kinds: new Map() }
      this.partitions.set(name, partition)
    }
    return partition
  }

  private put(partition: Partition, name: string, put: Put): void {
    let kind = partition.kinds.get(put.kind)
    if (!kind) {
      kind = { ids: new OrderedSet(compareKeys), entries: new Map() }
      partition.kinds.set(put.kind, kind)
    }
    const before = kind.entries.get(put.id)
    const version = (before?.row.version ?? 0) + 1
    const entry: Entry = {
      row: { partition: name, kind: put.kind, id: put.id, version, data: put.data },
      serial: before?.serial ?? ++this.serial,
      due: put.due ?? null,
      tags: [...new Set(put.tags)],
    }
    if (before) this.unindex(before)
    else kind.ids.add(put.id)
    kind.entries.set(put.id, entry)
    for (const tag of entry.tags) index(this.byTag, tag, compareSerial).add(entry)
    if (entry.due !== null) index(this.byDue, put.kind, compareDue).add(entry)
  }

  private remove(partition: Partition | undefined, kindName: string, id: string): void {
    const kind = partition?.kinds.get(kindName)
    const entry = kind?.entries.get(id)
    if (!partition || !kind || !entry) return
    this.unindex(entry)
    kind.ids.delete(id)
    kind.entries.delete(id)
    if (kind.entries.size === 0) partition.kinds.delete(kindName)
  }

  private unindex(entry: Entry): void {
    for (const tag of entry.tags) unindex(this.byTag, tag, entry)
    if (entry.due !== null) unindex(this.byDue, entry.row.kind, entry)
  }
}

type Index = Map<string, OrderedSet<Entry>>

function index(map: Index, key: string, compare: (a: Entry, b: Entry) => number): OrderedSet<Entry> {
  let set = map.get(key)
  if (!set) {
    set = new OrderedSet(compare)
    map.set(key, set)
  }
  return set
}

/** An empty list is dropped, so that tags of old sessions do not accumulate. */
function unindex(map: Index, key: string, entry: Entry): void {
  const set = map.get(key)
  set?.delete(entry)
  if (set?.empty) map.delete(key)
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
