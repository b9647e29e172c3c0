import type { KnownEvent } from '@holdpoint/core/protocol'
import type { Commit, Put, Row, Store } from '../../store/port.ts'
import type { Kind, QuestionRow, RowTypes } from '../state/rows.ts'
import { decodeRow, encodeRow, type Upcaster } from './row-codec.ts'

/** A row to read: its kind and id, and its partition when that is another than the transaction's. */
export type Ref<K extends Kind = Kind> = readonly [kind: K, id: string, partition?: string]
type RowsOf<Refs extends readonly Ref[]> = { [I in keyof Refs]: RowTypes[Refs[I][0]] | null }

export interface WriteOptions {
  due?: number | null
  tags?: readonly string[]
}

export type Upcasters = Partial<Record<Kind, readonly Upcaster[]>>

/** What was read a moment ago, by kind and id; of the transaction's own partition. */
export interface KnownRows {
  now: number
  rows: ReadonlyMap<string, Row | null>
}

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
  private readonly keepMs: number
  private readonly store: Store
  private readonly upcasters: Upcasters
  private readonly known: KnownRows | undefined
  private readonly seen = new Map<string, { kind: Kind; id: string; version: number }>()
  private readonly puts = new Map<string, Put>()
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

  /** Until when a record that is over is kept. */
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
      if (partition === this.partition) this.saw(kind, id, row?.version ?? 0)
      return row && decodeRow(kind, row.data, this.upcasters[kind], { partition, id })
    }) as RowsOf<Refs>
  }

  /** Takes a row that was listed as read, so that the commit checks it. */
  adopt<K extends Kind>(kind: K, row: Row): RowTypes[K] {
    this.saw(kind, row.id, row.version)
    const { partition, id } = row
    return decodeRow(kind, row.data, this.upcasters[kind], { partition, id }) as RowTypes[K]
  }

  put<K extends Kind>(kind: K, id: string, row: RowTypes[K], { due, tags }: WriteOptions = {}): void {
    const key = `${kind} ${id}`
    const expect = this.seen.get(key)?.version
    this.deletes.delete(key)
    this.puts.set(key, {
      kind,
      id,
      data: encodeRow(row, this.upcasters[kind]),
      ...(expect !== undefined && { expect }),
      ...(due !== undefined && { due: due === null ? null : Math.ceil(due) }),
      ...(tags?.length && { tags }),
    })
  }

  delete(kind: Kind, id: string): void {
    const key = `${kind} ${id}`
    this.puts.delete(key)
    this.deletes.set(key, { kind, id })
  }

  event(event: KnownEvent): void {
    this.eventText(JSON.stringify(event))
  }

  /** An event that is JSON already: it was encoded to be checked, and is not encoded again. */
  eventText(json: string): void {
    this.events.push(json)
  }

  /** Runs once the commit is known to have happened; whoever must act on it in this process hooks in here. */
  committed(callback: () => void): void {
    this.after.push(callback)
  }

  get dirty(): boolean {
    return this.puts.size > 0 || this.deletes.size > 0 || this.events.length > 0
  }

  /** Tries to make it true; a conflict throws. */
  async commit(): Promise<void> {
    if (this.dirty) {
      const result = await this.store.commit(this.item())
      if (!result.ok) throw new Conflict()
    }
    for (const callback of this.after) callback()
  }

  private recall(refs: readonly Ref[]): { now: number; rows: (Row | null)[] } | undefined {
    const { known } = this
    if (!known) return undefined
    const rows = refs.map(([kind, id, partition]) =>
      partition === undefined ? known.rows.get(`${kind} ${id}`) : undefined,
    )
    return rows.every((row) => row !== undefined) ? { now: known.now, rows } : undefined
  }

  private item(): Commit {
    const written = (key: string) => this.puts.has(key) || this.deletes.has(key)
    const checks = [...this.seen].filter(([key]) => !written(key)).map(([, row]) => row)
    const deletes = [...this.deletes].flatMap(([key, row]) => {
      const expect = this.seen.get(key)?.version
      // A row that never was needs no deleting, but must still not exist.
      if (expect === 0) checks.push({ ...row, version: 0 })
      return expect === 0 ? [] : [{ ...row, ...(expect !== undefined && { expect }) }]
    })
    return { partition: this.partition, checks, puts: [...this.puts.values()], deletes, events: this.events }
  }

  private saw(kind: Kind, id: string, version: number): void {
    const key = `${kind} ${id}`
    const before = this.seen.get(key)
    if (before && before.version !== version) throw new Conflict()
    this.seen.set(key, { kind, id, version })
  }
}
