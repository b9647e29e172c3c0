import { isHoldpointError } from '@holdpoint/core'
import type { Row, Store } from '../../store/port.ts'
import type { Kind, RowTypes } from '../state/rows.ts'
import type { ReadableRows } from './readable-rows.ts'

/** Errors of the store itself; a key that it refuses and a session that is written to without pause concern one row. */
const storeTrouble = /^(?!store_(?:invalid|contention)$)(store|sqlite)_/

export interface DueOptions<K extends Kind> {
  /** How many rows are read at a time, asked before each read; the sweep ends when it is 0. */
  room: () => number
  /** Whether the rows of one read are worked on side by side, or one after the other. */
  atOnce: boolean
  /** Works on one row. Resolves with false when the row stays due on purpose. */
  work: (row: RowTypes[K], place: Row, now: number) => Promise<boolean>
}

export interface Swept {
  /** Milliseconds until the next row of the kind is due; undefined when no other row has a time. */
  nextInMs?: number
  /** Rows that `work` left due. */
  left: number
}

/**
 * Works through all rows of a kind whose time has come, earliest first. A row that
 * cannot be read, or whose work fails for a reason of its own, is logged and passed over. It stays due, for a node that
 * can read it, and the rows behind it are reached because each read asks for as many more as were passed over.
 * Errors of the store end the sweep.
 */
export async function eachDue<K extends Kind>(
  { store, rows: readable }: { store: Store; rows: ReadableRows },
  kind: K,
  { room, atOnce, work }: DueOptions<K>,
): Promise<Swept> {
  const passed = new Set<string>()
  let left = 0
  let before = new Set<string>()

  const attempt = async (row: Row, now: number): Promise<boolean> => {
    const decoded = readable.read(kind, row)
    if (!decoded) return false
    try {
      if (await work(decoded, row, now)) return true
      left++
    } catch (error) {
      if (isHoldpointError(error) && storeTrouble.test(error.code)) throw error
      readable.report(row, error)
    }
    return false
  }

  for (;;) {
    const free = room()
    if (free <= 0) return { left }
    const limit = free + passed.size
    const { now, rows, nextDue } = await store.due(kind, { limit })
    const seen = new Set<string>()
    const handle = async (row: Row) => {
      const key = JSON.stringify([row.partition, row.id, row.version])
      if (passed.has(key)) return
      seen.add(key)
      // A row that stays due after it was processed would be found forever.
      if (before.has(key) || !(await attempt(row, now))) passed.add(key)
    }
    if (atOnce) await Promise.all(rows.map(handle))
    else for (const row of rows) await handle(row)
    before = seen
    if (rows.length < limit) return { left, ...(nextDue !== undefined && { nextInMs: nextDue - now }) }
  }
}
