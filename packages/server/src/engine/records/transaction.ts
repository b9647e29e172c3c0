import type { KnownEvent } from '@holdpoint/core/internal'
import type { CommitResult, Put, Row, RowRef, Store } from '../../store/port.ts'
import type { Kind, QuestionRow, RowTypes } from '../state/rows.ts'
import type { OwnCommits } from './own-commits.ts'
import { decodeRow, encodeRow, type Upcaster } from './row-codec.ts'
import { type TouchedRow, TouchedRows, type Written } from './touched-rows.ts'

/** A row to read: its kind and id, and its partition when that is another than the transaction's. */
export type Ref<K extends Kind = Kind> = readonly [kind: K, id: string, partition?: string]
type RowsOf<Refs extends readonly Ref[]> = { [I in keyof Refs]: RowTypes[Refs[I][0]] | null }

export interface WriteOptions {
  due?: number | null | undefined
  tags?: readonly string[] | undefined
}

export type Upcasters = Partial<Record<Kind, readonly Upcaster[]>>

/** A row as it was written or decoded, with its version. */
interface KnownRow {
  version: number
  value: RowTypes[Kind]
}

/** Rows that were read or written just now, in the transaction's own partition. */
export interface KnownRows {
  now: number
  /** Null for a row that does not exist, undefined for one that is not known. */
  find(kind: Kind, id: string): Row | KnownRow | null | undefined
  /**
   * A row whose id is random and that existed when the others were known. Versions begin at 1 again after an erasure, so
   * they prove nothing by themselves; but a row with a random id is never created again after it, and the commit checks it.
   */
  anchor?: { kind: Kind; id: string; version: number }
}

/** Another writer changed a row since it was read: decide again. */
export class Conflict extends Error {}

/** State that the transactions of an engine share. */
export interface TransactionDeps {
  store: Store
  /** How long records are kept after their end. */
  keepMs: number
  upcasters?: Upcasters
  /** Receives the events of a commit before it is made, because its notification may be faster than its result. */
  ownCommits?: Pick<OwnCommits, 'add'>
  /** Called with the rows of each commit that was or may have been applied, before all other callbacks. */
  wrote?: (partition: string, written: readonly Written[]) => void
  /** Writes the deliveries that a question's new state causes, and returns the row that remembers them. */
  announce?: (tx: Transaction, row: QuestionRow) => QuestionRow
}

/**
 * One attempt at one decision. Every row that was read in this partition is checked by the commit, so a decision is
 * taken back and made again whenever it rested on something that changed meanwhile.
 *
 * A process may have thousands of these at once, so each is a few objects: one for a row that it touches, no maps.
 */
export class Transaction {
  readonly partition: string
  /** The store's clock when a row was last read. */
  now = 0
  private readonly deps: TransactionDeps
  private readonly known: KnownRows | undefined
  private readonly rows = new TouchedRows()
  private events: string[] | undefined
  private after: (() => void)[] | undefined
  private writes = false

  /** A decision may rest on what is `known`, for its commit checks that it still stands. */
  constructor(deps: TransactionDeps, partition: string, known?: KnownRows) {
    this.deps = deps
    this.partition = partition
    this.known = known
  }

  /** The time until which an ended record is kept. */
  get keepUntil(): number {
    return this.now + this.deps.keepMs
  }

  /** Reads rows in one go; null where there is none. */
  async read<const Refs extends readonly Ref[]>(...refs: Refs): Promise<RowsOf<Refs>> {
    if (refs.length === 0) return [] as unknown as RowsOf<Refs>
    const found = this.recall(refs) ?? (await this.deps.store.load(this.addresses(refs)))
    this.now = found.now
    const values: (RowTypes[Kind] | null)[] = []
    for (let index = 0; index < refs.length; index++) {
      const ref = refs[index] as Ref
      const row = found.rows[index] ?? null
      const value = row && ('value' in row ? row.value : this.decoded(ref[0], row))
      if (ref[2] === undefined || ref[2] === this.partition) this.saw(ref[0], ref[1], row?.version ?? 0, value)
      values.push(value)
    }
    return values as RowsOf<Refs>
  }

  /** Rests the decision on there being no such row, without reading it. The commit checks that. */
  assumeNone(kind: Kind, id: string): void {
    this.saw(kind, id, 0, null)
  }

  /** Takes a row that was listed as read, so that the commit checks it. */
  adopt<K extends Kind>(kind: K, row: Row): RowTypes[K] {
    const value = this.decoded(kind, row) as RowTypes[K]
    this.saw(kind, row.id, row.version, value)
    return value
  }

  put<K extends Kind>(kind: K, id: string, row: RowTypes[K], { due, tags }: WriteOptions = {}): void {
    const touched = this.rows.touch(kind, id)
    this.writes = true
    touched.write = 'put'
    touched.row = row
    touched.due = due == null ? due : Math.ceil(due)
    touched.tags = tags
  }

  delete(kind: Kind, id: string): void {
    const touched = this.rows.touch(kind, id)
    this.writes = true
    touched.write = 'delete'
    touched.row = null
  }

  event(event: KnownEvent): void {
    this.eventText(JSON.stringify(event))
  }

  /** An event that is JSON already: it was encoded to be checked, and is not encoded again. */
  eventText(json: string): void {
    this.events ??= []
    this.events.push(json)
  }

  /** The row of a question as it is to be written, with the deliveries that its new state causes. */
  announced(row: QuestionRow): QuestionRow {
    return this.deps.announce?.(this, row) ?? row
  }

  /** Registers a callback that runs once the commit has certainly happened. */
  committed(callback: () => void): void {
    this.after ??= []
    this.after.push(callback)
  }

  get dirty(): boolean {
    return this.writes || this.events !== undefined
  }

  /** Tries to make it true; a conflict throws. */
  async commit(): Promise<void> {
    if (this.dirty) {
      const item = this.item()
      this.deps.ownCommits?.add(item.events)
      let result: CommitResult
      try {
        result = await this.deps.store.commit(item)
      } catch (error) {
        // It may have happened.
        this.deps.wrote?.(this.partition, this.rows.written)
        throw error
      }
      if (!result.ok) throw new Conflict()
      this.deps.wrote?.(this.partition, this.rows.written)
    }
    if (this.after) for (const callback of this.after) callback()
  }

  /** How many characters a row took that this transaction wrote. */
  sizeOf(kind: Kind, id: string): number {
    return this.rows.find(kind, id)?.size ?? 0
  }

  /** Returns the rows that are known after the commit. The anchor has a random id, and was read or written here. */
  rowsAfterCommit(kind: Kind, id: string): KnownRows | undefined {
    const { rows, now } = this
    const version = versionAfter(rows.find(kind, id))
    if (version === undefined) return undefined
    return { now, find: (kind, id) => rowAfter(rows.find(kind, id)), anchor: { kind, id, version } }
  }

  /** By index: destructuring a short array costs more than the rest of this. */
  private addresses(refs: readonly Ref[]): RowRef[] {
    const addresses: RowRef[] = []
    for (const ref of refs) addresses.push({ partition: ref[2] ?? this.partition, kind: ref[0], id: ref[1] })
    return addresses
  }

  private decoded(kind: Kind, { data, partition, id }: Row): RowTypes[Kind] {
    return decodeRow(kind, data, this.deps.upcasters?.[kind], { partition, id }) as RowTypes[Kind]
  }

  private recall(refs: readonly Ref[]): { now: number; rows: (Row | KnownRow | null)[] } | undefined {
    const { known } = this
    if (!known) return undefined
    const rows: (Row | KnownRow | null)[] = []
    for (const ref of refs) {
      const row = ref[2] === undefined ? known.find(ref[0], ref[1]) : undefined
      if (row === undefined) return undefined
      rows.push(row)
    }
    const { anchor } = known
    if (anchor) this.saw(anchor.kind, anchor.id, anchor.version, knownValue(known.find(anchor.kind, anchor.id)))
    return { now: known.now, rows }
  }

  private item() {
    const checks: { kind: Kind; id: string; version: number }[] = []
    const puts: Put[] = []
    const deletes: { kind: Kind; id: string; expect?: number }[] = []
    for (const touched of this.rows.all) {
      const { kind, id, version, write } = touched
      if (write === 'put') puts.push(this.encoded(touched))
      else if (write === 'delete' && version !== 0) {
        deletes.push(version === undefined ? { kind, id } : { kind, id, expect: version })
      }
      // A row that never existed needs no deleting, but must still not exist.
      else if (version !== undefined) checks.push({ kind, id, version })
    }
    return { partition: this.partition, checks, puts, deletes, events: this.events ?? [] }
  }

  private encoded(touched: TouchedRow): Put {
    const { kind, id, row, version, due, tags } = touched
    const data = encodeRow(row, this.deps.upcasters?.[kind])
    touched.size = data.length
    const put: Put = { kind, id, data }
    if (version !== undefined) put.expect = version
    if (due !== undefined) put.due = due
    if (tags?.length) put.tags = tags
    return put
  }

  private saw(kind: Kind, id: string, version: number, value: RowTypes[Kind] | null): void {
    const touched = this.rows.touch(kind, id)
    if (touched.version !== undefined && touched.version !== version) throw new Conflict()
    touched.version = version
    touched.value = value
  }
}

/** The version after the commit of a row that was read; undefined for one that was not read, or does not exist. */
function versionAfter(touched: TouchedRow | undefined): number | undefined {
  if (touched?.version === undefined || touched.write === 'delete') return undefined
  return touched.write ? touched.version + 1 : touched.version || undefined
}

function rowAfter(touched: TouchedRow | undefined): KnownRow | null | undefined {
  if (touched?.version === undefined) return undefined
  if (!touched.write) return touched.value && { version: touched.version, value: touched.value }
  return touched.row && { version: touched.version + 1, value: touched.row }
}

const knownValue = (row: Row | KnownRow | null | undefined) => (row && 'value' in row ? row.value : null)
