import type { Kind, RowTypes } from '../state/rows.ts'

/** A row that a transaction wrote; null for one that it deleted. */
export type Written = { [K in Kind]: { kind: K; id: string; row: RowTypes[K] | null } }[Kind]

/** A row that a transaction read, writes, or both. */
export interface TouchedRow {
  readonly kind: Kind
  readonly id: string
  /** As it was read, 0 for a row that did not exist; undefined if it was not read. */
  version: number | undefined
  value: RowTypes[Kind] | null
  write: 'put' | 'delete' | undefined
  /** As it is written. */
  row: RowTypes[Kind] | null
  due: number | null | undefined
  tags: readonly string[] | undefined
  /** Characters of the written row; known after the commit was encoded. */
  size: number
}

/** Most transactions touch a few rows, which are compared one by one: that needs less time and memory than a map. */
const FEW = 24

/** The rows of one transaction in the order in which they were touched. */
export class TouchedRows {
  readonly all: TouchedRow[] = []
  private index: Map<string, TouchedRow> | undefined

  find(kind: Kind, id: string): TouchedRow | undefined {
    if (this.index) return this.index.get(keyOf(kind, id))
    for (const one of this.all) if (one.id === id && one.kind === kind) return one
    return undefined
  }

  /** The row, added if it was not touched before. */
  touch(kind: Kind, id: string): TouchedRow {
    const found = this.find(kind, id)
    if (found) return found
    const touched: TouchedRow = {
      kind,
      id,
      version: undefined,
      value: null,
      write: undefined,
      row: null,
      due: undefined,
      tags: undefined,
      size: 0,
    }
    this.all.push(touched)
    if (this.index) this.index.set(keyOf(kind, id), touched)
    else if (this.all.length > FEW) this.index = new Map(this.all.map((one) => [keyOf(one.kind, one.id), one]))
    return touched
  }

  get written(): Written[] {
    const written: Written[] = []
    for (const { kind, id, write, row } of this.all) if (write) written.push({ kind, id, row } as Written)
    return written
  }
}

const keyOf = (kind: Kind, id: string) => `${kind} ${id}`
