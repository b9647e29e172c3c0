import { HoldpointError, isHoldpointError } from '@holdpoint/core'
import { type Environment, pause } from '../../base/environment.ts'
import type { Store } from '../../store/port.ts'
import type { QuestionRow } from '../state/rows.ts'
import { Conflict, type KnownRows, Transaction, type Upcasters } from './transaction.ts'

export interface TransactDeps {
  store: Store
  environment: Environment
  /** How long records are kept once they are over. */
  keepMs: number
  /** Told of each commit. */
  onCommit?: (partition: string) => void
  upcasters?: Upcasters
  /** Called for each question row that a transaction writes. */
  announce?: (tx: Transaction, row: QuestionRow) => QuestionRow
}

const CONFLICTS = 200
const QUICK_CONFLICTS = 5
/** Of a store that is away for a moment. After this the caller hears of it. */
const RETRIES = 4
const RETRY_MS = 25

/**
 * Loads, decides, commits; and decides again when a row changed meanwhile. So the loser of a race always sees what the
 * winner wrote. `work` must be free of effects besides the transaction: it may run many times.
 *
 * What is `known` already need not be loaded at first. A commit that failed without an answer may have happened. `work` is then asked again too, and must recognise what it
 * wrote: answers carry an id, questions an identity, calls a fence.
 */
export async function transact<T>(
  deps: TransactDeps,
  partition: string,
  work: (tx: Transaction) => Promise<T>,
  known?: KnownRows,
): Promise<T> {
  let conflicts = 0
  let failures = 0
  for (;;) {
    const first = conflicts + failures === 0
    const tx = new Transaction(deps.store, partition, deps.keepMs, deps.upcasters, first ? known : undefined)
    const { announce } = deps
    if (announce) tx.announce = (row) => announce(tx, row)
    try {
      const value = await work(tx)
      await tx.commit()
      if (tx.dirty) deps.onCommit?.(partition)
      return value
    } catch (error) {
      if (error instanceof Conflict) {
        if (++conflicts > CONFLICTS) throw contention(partition)
        if (conflicts > QUICK_CONFLICTS) await pause(deps.environment, jitter(deps, Math.min(conflicts, 20)))
      } else if (isTransient(error) && ++failures <= RETRIES) {
        await pause(deps.environment, jitter(deps, RETRY_MS * 2 ** failures))
      } else throw error
    }
  }
}

/** Whether asking the store again may help. */
export function isTransient(error: unknown): boolean {
  return isHoldpointError(error, 'store_unavailable') || isHoldpointError(error, 'store_busy')
}

/** Between half and all of `ms`, so that those who collided do not collide again. */
function jitter({ environment }: TransactDeps, ms: number): number {
  const chance = (environment.randomBytes(1)[0] ?? 0) / 255
  return Math.ceil((ms / 2) * (1 + chance))
}

function contention(partition: string): HoldpointError {
  return new HoldpointError(
    'store_contention',
    `A change was overtaken ${CONFLICTS} times by other changes of the same session. Something writes to it in a tight loop; look for it, then repeat the call.`,
    { details: { partition } },
  )
}
