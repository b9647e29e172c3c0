import { recordable } from '../../base/canonical-json.ts'
import { randomId } from '../records/keys.ts'
import type { Transaction } from '../records/transaction.ts'
import type { JournalRow } from '../state/rows.ts'
import type { CallKernel } from './call-kernel.ts'
import { callRefs, claimCall } from './claim-call.ts'
import type { Execution } from './execution.ts'
import { onceId, stagedRefs, stagedSteps, writeStaged } from './staged-steps.ts'
import { untilStored } from './until-stored.ts'

/** A value on which a re-run of a call depends is recorded with the call, under its fence. */

export type Effect<T> = (info: { idempotencyKey: string; signal: AbortSignal }) => T | Promise<T>

/** Runs an effect once over all re-runs. One that died inside runs again, with the key that it had. */
export async function once<T>(kernel: CallKernel, execution: Execution, key: string, effect: Effect<T>): Promise<T> {
  const running = execution.effects.get(key)
  if (running) return (await running) as T
  const run = perform(kernel, execution, key, effect)
  execution.effects.set(key, run)
  kernel.calls.register(execution)
  try {
    return await run
  } finally {
    execution.effects.delete(key)
    kernel.calls.unregisterIdle(execution)
  }
}

async function perform<T>(kernel: CallKernel, execution: Execution, key: string, effect: Effect<T>): Promise<T> {
  await untilStored(kernel, execution, () => kernel.heartbeat.alive())
  const id = onceId(execution, key)
  const started = await inCall(kernel, execution, id, (tx, entry) => {
    if (entry) return entry
    const row: JournalRow = { type: 'once', state: 'started', idempotencyKey: randomId(kernel.environment) }
    tx.put('journal', id, row)
    return row
  })
  if (started.type !== 'once') throw new Error(`the journal entry ${id} is of another type`)
  if (started.state === 'done') return started.value as T
  const { idempotencyKey } = started
  const value = await effect({ idempotencyKey, signal: execution.signal })
  const recorded = recordable(`The value of once("${key}")`, value)
  await inCall(kernel, execution, id, (tx) =>
    tx.put('journal', id, {
      type: 'once',
      state: 'done',
      idempotencyKey,
      ...(recorded !== undefined && { value: recorded }),
    }),
  )
  return value
}

/** One step of a call: claims it, writes what is staged, and reads and writes an entry of its journal, if it has an id. */
export async function inCall<T>(
  kernel: CallKernel,
  execution: Execution,
  id: string | undefined,
  work: (tx: Transaction, entry: JournalRow | null) => T | Promise<T>,
): Promise<T> {
  const steps = await stagedSteps(execution)
  const own = id === undefined ? [] : [['journal', id] as const]
  return await execution.queue.run('', () =>
    untilStored(kernel, execution, () =>
      kernel.transact(execution.partition, async (tx) => {
        const [session, call, run, idle, ...entries] = await tx.read(
          ...callRefs(execution),
          ...own,
          ...stagedRefs(execution, steps),
        )
        claimCall(kernel, tx, execution, [session, call, run, idle])
        const [entry, ...found] = id === undefined ? [null, ...entries] : entries
        writeStaged(kernel, tx, execution, steps, found)
        return await work(tx, entry ?? null)
      }),
    ),
  )
}
