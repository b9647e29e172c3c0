import { HoldpointError, isHoldpointError } from '@holdpoint/core'
import { type Environment, pause } from '../../base/environment.ts'
import type { RowRef, Store } from '../port.ts'

/** The new state of a row, and the caller's result. Without `put` and `remove` nothing is written. */
export interface Change<T, R> {
  put?: T
  remove?: boolean
  /** When the row may be deleted by a sweep, in milliseconds of the store's clock. */
  due?: number
  tags?: readonly string[]
  result: R
}

export interface RowDeps {
  store: Store
  environment: Environment
}

const CONFLICTS = 200
const TRANSIENT = 4

/**
 * Reads one row, decides and writes, and repeats this if another writer was faster, so that the loser of a race always
 * sees the winner. If the acknowledgment of a write is lost, `decide` is also called again. It must then recognize its
 * own write by the id of the attempt in the row. `decide` must have no side effects.
 */
export async function changeRow<T, R>(
  deps: RowDeps,
  ref: RowRef,
  decide: (row: T | null, now: number) => Change<T, R> | Promise<Change<T, R>>,
): Promise<R> {
  let conflicts = 0
  let failures = 0
  for (;;) {
    try {
      const { now, rows } = await deps.store.load([ref])
      const row = rows[0] ?? null
      const change = await decide(row && parse<T>(row.data), now)
      if (!change.put && (!change.remove || !row)) return change.result
      const expect = row?.version ?? 0
      const { kind, id } = ref
      const committed = await deps.store.commit(
        change.put
          ? {
              partition: ref.partition,
              puts: [
                {
                  kind,
                  id,
                  expect,
                  data: JSON.stringify(change.put),
                  due: change.due ?? null,
                  ...(change.tags && { tags: change.tags }),
                },
              ],
            }
          : { partition: ref.partition, deletes: [{ kind, id, expect }] },
      )
      if (committed.ok) return change.result
      if (++conflicts > CONFLICTS) throw contention(ref)
      if (conflicts > 3) await pause(deps.environment, chance(deps) * Math.min(conflicts, 20))
    } catch (error) {
      if (!isTransient(error) || ++failures > TRANSIENT) throw error
      await pause(deps.environment, chance(deps) * 25 * 2 ** failures)
    }
  }
}

/** Returns one parsed row with the store's time. */
export async function readRow<T>(store: Store, ref: RowRef): Promise<{ now: number; row: T | null }> {
  const { now, rows } = await store.load([ref])
  const row = rows[0]
  return { now, row: row ? parse<T>(row.data) : null }
}

/** Parses a row without validation, because only this package writes rows, with one type for each kind. */
export function parse<T>(data: string): T {
  return JSON.parse(data) as T
}

const chance = ({ environment }: RowDeps) => ((environment.randomBytes(1)[0] ?? 0) + 1) / 256

function isTransient(error: unknown): boolean {
  return isHoldpointError(error, 'store_unavailable') || isHoldpointError(error, 'store_busy')
}

function contention({ kind }: RowRef): HoldpointError {
  return new HoldpointError(
    'store_contention',
    `Lost ${CONFLICTS} races for a row of kind "${kind}" to other writers. Find the code that writes it in a tight loop, then repeat the call.`,
  )
}
