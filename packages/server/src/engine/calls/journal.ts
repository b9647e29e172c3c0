import type { ApprovalScope } from '@holdpoint/core/protocol'
import { digestOf, recordable } from '../../base/canonical-json.ts'
import { keyText } from '../consent/approval-key.ts'
import { grantId, putGrant, widest } from '../consent/grants.ts'
import type { Kernel } from '../kernel/kernel.ts'
import { retryUntilStored } from '../kernel/retry-until-stored.ts'
import { journalId, randomId, userPartition } from '../records/keys.ts'
import type { Transaction } from '../records/transaction.ts'
import type { JournalRow } from '../state/rows.ts'
import { callRefs, claimCall } from './claim-call.ts'
import type { Execution } from './execution.ts'

/** What a re-run of a call depends on is written down with the call, under its fence. */

export type Effect<T> = (info: { idempotencyKey: string; signal: AbortSignal }) => T | Promise<T>

/** Runs an effect once over all re-runs. One that died inside runs again, with the key that it had. */
export async function once<T>(kernel: Kernel, execution: Execution, key: string, effect: Effect<T>): Promise<T> {
  const running = execution.effects.get(key)
  if (running) return (await running) as T
  const run = perform(kernel, execution, key, effect)
  execution.effects.set(key, run)
  try {
    return await run
  } finally {
    execution.effects.delete(key)
  }
}

async function perform<T>(kernel: Kernel, execution: Execution, key: string, effect: Effect<T>): Promise<T> {
  await retryUntilStored(kernel, () => kernel.heartbeat.alive())
  const id = journalId(execution.id, `once ${digestOf(key)}`)
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

/** The grant for a key, and what this call found the last time that it was run. */
export async function getGrant(kernel: Kernel, execution: Execution, key: unknown): Promise<ApprovalScope | null> {
  await retryUntilStored(kernel, () => kernel.heartbeat.alive())
  const { tenant, userId, toolName } = execution.identity
  const grant = grantId(userId, toolName, keyText(key))
  const id = journalId(execution.id, `get ${grant} ${execution.count(`get ${grant}`)}`)
  return await inCall(kernel, execution, id, async (tx, entry) => {
    if (entry?.type === 'value') return entry.value as ApprovalScope | null
    const [session, always] = await tx.read(['grant', grant], ['grant', grant, userPartition(tenant, userId)])
    const scope = widest(session, always)
    if (scope === 'once') tx.delete('grant', grant)
    tx.put('journal', id, { type: 'value', value: scope })
    return scope
  })
}

/** Remembers an approval. A re-run does not remember it again: a "once" may be used up by then. */
export async function setGrant(
  kernel: Kernel,
  execution: Execution,
  key: unknown,
  scope: ApprovalScope,
): Promise<void> {
  await retryUntilStored(kernel, () => kernel.heartbeat.alive())
  const { tenant, userId, toolName: tool, sessionId } = execution.identity
  const canonical = keyText(key)
  const grant = grantId(userId, tool, canonical)
  const id = journalId(execution.id, `set ${grant} ${execution.count(`set ${grant}`)}`)
  const put = (tx: Transaction, partition: 'session' | 'user') =>
    putGrant(tx, tenant, grant, {
      ...{ userId, tool, key: canonical, scope, grantedAt: tx.now },
      ...(partition === 'session' && { sessionId }),
    })
  const known = await inCall(kernel, execution, id, async (tx, entry) => {
    if (entry) return true
    if (scope === 'always') return false
    await tx.read(['grant', grant])
    put(tx, 'session')
    tx.put('journal', id, { type: 'value', value: scope })
    return true
  })
  if (known) return
  await retryUntilStored(kernel, () =>
    kernel.transact(userPartition(tenant, userId), async (tx) => {
      await tx.read(['grant', grant])
      put(tx, 'user')
    }),
  )
  await inCall(kernel, execution, id, (tx) => tx.put('journal', id, { type: 'value', value: scope }))
}

/** One step of a call that reads and writes its journal. */
function inCall<T>(
  kernel: Kernel,
  execution: Execution,
  id: string,
  work: (tx: Transaction, entry: JournalRow | null) => T | Promise<T>,
): Promise<T> {
  return execution.queue.run('', () =>
    retryUntilStored(kernel, () =>
      kernel.transact(execution.partition, async (tx) => {
        const [entry, ...rows] = await tx.read(['journal', id], ...callRefs(execution))
        claimCall(kernel, tx, execution, rows)
        return await work(tx, entry)
      }),
    ),
  )
}
