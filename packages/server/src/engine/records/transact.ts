import { HoldpointError, isHoldpointError } from '@holdpoint/core'
import { type Environment, pause } from '../../base/environment.ts'
import { Conflict, type KnownRows, Transaction, type TransactionDeps } from './transaction.ts'

export interface TransactDeps extends TransactionDeps {
  environment: Environment
  /** Called for each commit. */
  onCommit?: (partition: string) => void
}

const CONFLICTS = 200
const QUICK_CONFLICTS = 5
/** Retries while a store is unavailable for a moment. After these the caller receives the error. */
const RETRIES = 4
const RETRY_MS = 25

/**
 * Loads rows, decides and commits. If a row changed in between, it decides again, so that the loser of a race always
 * sees what the winner wrote. `work` must have no effects besides the transaction, because it may run several times.
 *
 * `known` rows need not be loaded at first. A commit that failed without a response may have been applied. `work` then
 * runs again too, and must recognize its own writes: answers have an id, questions an identity, calls a fence.
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
    const tx = new Transaction(deps, partition, first ? known : undefined)
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
