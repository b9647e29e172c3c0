import type { KnownEvent } from '@holdpoint/core/internal'
import type { Commit, Put, Row, Store } from '../../store/port.ts'
import type { Kind, QuestionRow, RowTypes } from '../state/rows.ts'
import { decodeRow, encodeRow, type Upcaster } from './row-codec.ts'

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

/** Rows that were read or written just now, by kind and id, in the transaction's own partition. */
export interface KnownRows {
  now: number
  rows: ReadonlyMap<string, Row | KnownRow | null>
  /**
   * A row whose id is random and that existed when the others were known. Versions begin at 1 again after an erasure, so
   * they prove nothing by themselves; but a row with a random id is never created again after it, and the commit checks it.
   */
  anchor?: { kind: Kind; id: string; version: number }
}

/** A row that a transaction wrote; null for one that it deleted. */
export type Written = { [K in Kind]: { kind: K; id: string; row: RowTypes[K] | null } }[Kind]

/** Another writer changed a row since it was read: decide again. */
export class Conflict extends Error {}

/**
 * One attempt at one decision. Every row that was read in this partition is checked by the commit, so a decision is
 * taken back and made again whenever it rested on something that changed meanwhile.
 */
export class Transaction {
  readonly partition: string
  /** The store's clock when a row was last read. */
  now = 0
  /** Writes the deliveries that a question's new state causes, and returns the row that remembers them. */
  announce: (row: QuestionRow) => QuestionRow = (row) => row
  /** Called before the commit, with what its notification will carry. */
  committing: (events: readonly string[]) => void = () => {}
  /** Called when the commit has happened, or may have happened. */
  wrote: () => void = () => {}
  private readonly keepMs: number
  private readonly store: Store
  private readonly upcasters: Upcasters
  private readonly known: KnownRows | undefined
  private readonly seen = new Map<string, { kind: Kind; id: string; version: number; value: unknown }>()
  /** Encoded by the commit: a row that is written several times is encoded once. */
  private readonly puts = new Map<string, WriteOptions>()
  private readonly sizes = new Map<string, number>()
  private readonly values = new Map<string, Written>()
  private readonly deletes = new Map<string, { kind: Kind; id: string }>()
  private readonly events: string[] = []
  private readonly after: (() => void)[] = []

  /** A decision may rest on what is `known`, for its commit checks that it still stands. */
  constructor(store: Store, partition: string, keepMs: number, upcasters: Upcasters = {}, known?: KnownRows) {
    this.known = known
    this.keepMs = keepMs
    this.store = store
    this.partition = partition
    this.upcasters = upcasters
  }

  /** The time until which an ended record is kept. */
  get keepUntil(): number {
    return this.now + this.keepMs
  }

  /** Reads rows in one go; null where there is none. */
  async read<const Refs extends readonly Ref[]>(...refs: Refs): Promise<RowsOf<Refs>> {
    const found =
      this.recall(refs) ??
      (await this.store.load(refs.map(([kind, id, partition = this.partition]) => ({ partition, kind, id }))))
    this.now = found.now
    return refs.map(([kind, id, partition = this.partition], index) => {
      const row = found.rows[index] ?? null
      const value =
        row && ('value' in row ? row.value : decodeRow(kind, row.data, this.upcasters[kind], { partition, id }))
      if (partition === this.partition) this.saw(kind, id, row?.version ?? 0, value)
      return value
    }) as RowsOf<Refs>
  }

  /** Rests the decision on there being no such row, without reading it. The commit checks that. */
  assumeNone(kind: Kind, id: string): void {
    this.saw(kind, id, 0, null)
  }

  /** Takes a row that was listed as read, so that the commit checks it. */
  adopt<K extends Kind>(kind: K, row: Row): RowTypes[K] {
    const { partition, id } = row
    const value = decodeRow(kind, row.data, this.upcasters[kind], { partition, id }) as RowTypes[K]
    this.saw(kind, id, row.version, value)
    return value
  }

  put<K extends Kind>(kind: K, id: string, row: RowTypes[K], { due, tags }: WriteOptions = {}): void {
    const key = `${kind} ${id}`
    this.deletes.delete(key)
    this.values.set(key, { kind, id, row } as Written)
    this.puts.set(key, { due: due == null ? due : Math.ceil(due), tags })
  }

  delete(kind: Kind, id: string): void {
    const key = `${kind} ${id}`
    this.puts.delete(key)
    this.values.set(key, { kind, id, row: null } as Written)
    this.deletes.set(key, { kind, id })
  }

  event(event: KnownEvent): void {
    this.eventText(JSON.stringify(event))
  }

  /** An event that is JSON already: it was encoded to be checked, and is not encoded again. */
  eventText(json: string): void {
    this.events.push(json)
  }

  /** Registers a callback that runs once the commit has certainly happened. */
  committed(callback: () => void): void {
    this.after.push(callback)
  }

  get dirty(): boolean {
    return this.puts.size > 0 || this.deletes.size > 0 || this.events.length > 0
  }

  /** Tries to make it true; a conflict throws. */
  async commit(): Promise<void> {
    if (this.dirty) {
      const item = this.item()
      this.committing(this.events)
      const result = await this.store.commit(item).catch((error: unknown) => {
        // It may have happened.
        this.wrote()
        throw error
      })
      if (!result.ok) throw new Conflict()
      this.wrote()
    }
    for (const callback of this.after) callback()
  }

  /** How many characters a row took that this transaction wrote. */
  sizeOf(kind: Kind, id: string): number {
    return this.sizes.get(`${kind} ${id}`) ?? 0
  }

  /** The rows that this transaction writes. */
  get written(): readonly Written[] {
    return [...this.values.values()]
  }

  /** Returns the rows that are known after the commit. The anchor has a random id, and was read or written here. */
  standing(kind: Kind, id: string): KnownRows | undefined {
    const rows = new Map<string, KnownRow | null>()
    for (const [key, { version, value }] of this.seen) {
      const written = this.values.get(key)
      if (!written) rows.set(key, version === 0 ? null : { version, value: value as RowTypes[Kind] })
      else rows.set(key, written.row && { version: version + 1, value: written.row })
    }
    const version = rows.get(`${kind} ${id}`)?.version
    return version === undefined ? undefined : { now: this.now, rows, anchor: { kind, id, version } }
  }

  private recall(refs: readonly Ref[]): { now: number; rows: (Row | KnownRow | null)[] } | undefined {
    const { known } = this
    if (!known) return undefined
    const rows = refs.map(([kind, id, partition]) =>
      partition === undefined ? known.rows.get(`${kind} ${id}`) : undefined,
    )
    if (!rows.every((row) => row !== undefined)) return undefined
    const { anchor } = known
    if (anchor) this.saw(anchor.kind, anchor.id, anchor.version, known.rows.get(`${anchor.kind} ${anchor.id}`))
    return { now: known.now, rows }
  }

  private item(): Commit {
    const written = (key: string) => this.puts.has(key) || this.deletes.has(key)
    const checks = [...this.seen]
      .filter(([key]) => !written(key))
      .map(([, { kind, id, version }]) => ({ kind, id, version }))
    const deletes = [...this.deletes].flatMap(([key, row]) => {
      const expect = this.seen.get(key)?.version
      // A row that never was needs no deleting, but must still not exist.
      if (expect === 0) checks.push({ ...row, version: 0 })
      return expect === 0 ? [] : [{ ...row, ...(expect !== undefined && { expect }) }]
    })
    return { partition: this.partition, checks, puts: this.encoded(), deletes, events: this.events }
  }

  private encoded(): Put[] {
    const puts: Put[] = []
    for (const [key, { due, tags }] of this.puts) {
      const { kind, id, row } = this.values.get(key) as Written
      const expect = this.seen.get(key)?.version
      const data = encodeRow(row, this.upcasters[kind])
      this.sizes.set(key, data.length)
      puts.push({
        kind,
        id,
        data,
        ...(expect !== undefined && { expect }),
        ...(due !== undefined && { due }),
        ...(tags?.length && { tags }),
      })
    }
    return puts
  }

  private saw(kind: Kind, id: string, version: number, value: unknown): void {
    const key = `${kind} ${id}`
    const before = this.seen.get(key)
    if (before && before.version !== version) throw new Conflict()
    this.seen.set(key, { kind, id, version, value })
  }
}
