import { RowSet } from '../../store/shared/row-set.ts'
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

/** The rows of one transaction in the order in which they were touched. */
export class TouchedRows extends RowSet<TouchedRow> {
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
    this.add(touched)
    return touched
  }

  get written(): Written[] {
    const written: Written[] = []
    for (const { kind, id, write, row } of this.all) if (write) written.push({ kind, id, row } as Written)
    return written
  }
}
