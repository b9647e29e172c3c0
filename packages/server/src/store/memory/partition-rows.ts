import type { Row } from '../port.ts'
import { compareKeys } from '../shared/limits.ts'
import { OrderedSet } from './ordered-set.ts'

/**
 * A row with the store's own data about it. A put changes the properties of the entry, and the entry object stays the
 * same.
 */
export interface Entry {
  row: Row
  /** The number of the row in order of creation. Pages of a tag use this order. */
  serial: number
  due: number | null
  tags: readonly string[]
}

/**
 * The number of rows up to which they are kept in one sorted array and found by binary search. Most sessions have
 * fewer.
 */
const FEW = 32

/**
 * The rows of one partition, by kind and then by id. A process may keep a hundred thousand sessions with a dozen rows
 * each, so these are kept in one sorted array. A map and a set for each kind would take more memory than the rows
 * themselves.
 */
export class PartitionRows {
  private few: Entry[] | undefined = []
  private many: { order: OrderedSet<Entry>; byKey: Map<string, Entry> } | undefined

  get(kind: string, id: string): Entry | undefined {
    if (this.many) return this.many.byKey.get(keyOf(kind, id))
    const few = this.few ?? []
    const found = few[lowerBound(few, kind, id)]
    return found && found.row.id === id && found.row.kind === kind ? found : undefined
  }

  /** Adds a row that does not exist yet. */
  add(entry: Entry): void {
    const { kind, id } = entry.row
    if (this.few) {
      // A new array of the exact length: `splice` takes room for many more rows.
      this.few = this.few.toSpliced(lowerBound(this.few, kind, id), 0, entry)
      if (this.few.length > FEW) this.grow(this.few)
    } else {
      this.many?.order.add(entry)
      this.many?.byKey.set(keyOf(kind, id), entry)
    }
  }

  delete(entry: Entry): void {
    const { kind, id } = entry.row
    if (this.few) this.few.splice(lowerBound(this.few, kind, id), 1)
    else {
      this.many?.order.delete(entry)
      this.many?.byKey.delete(keyOf(kind, id))
    }
  }

  /** Returns the rows of one kind after the id `after`, in the order of their ids. */
  *list(kind: string, after: string | undefined): Generator<Entry> {
    for (const entry of this.from(kind, after ?? '')) {
      if (entry.row.kind !== kind) return
      if (entry.row.id !== after) yield entry
    }
  }

  all(): Entry[] {
    return this.few ? [...this.few] : [...(this.many?.order.after() ?? [])]
  }

  private *from(kind: string, id: string): Generator<Entry> {
    if (this.few) yield* this.few.slice(lowerBound(this.few, kind, id))
    else yield* this.many?.order.after({ row: { partition: '', kind, id, version: 0, data: '' }, ...nowhere }) ?? []
  }

  private grow(entries: readonly Entry[]): void {
    const order = new OrderedSet(compareEntries)
    const byKey = new Map<string, Entry>()
    for (const entry of entries) {
      order.add(entry)
      byKey.set(keyOf(entry.row.kind, entry.row.id), entry)
    }
    this.few = undefined
    this.many = { order, byKey }
  }
}

const nowhere = { serial: 0, due: null, tags: [] }

/** The separator is unambiguous, because keys cannot contain a NUL. */
const keyOf = (kind: string, id: string) => `${kind}\0${id}`

const compare = (entry: Entry, kind: string, id: string): number =>
  (entry.row.kind === kind ? 0 : compareKeys(entry.row.kind, kind)) || compareKeys(entry.row.id, id)

const compareEntries = (a: Entry, b: Entry): number => compare(a, b.row.kind, b.row.id)

function lowerBound(entries: readonly Entry[], kind: string, id: string): number {
  let low = 0
  let high = entries.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (compare(entries[middle] as Entry, kind, id) < 0) low = middle + 1
    else high = middle
  }
  return low
}
