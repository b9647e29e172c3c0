import type { ApprovalScope } from '@holdpoint/core'
import type { CallKernel } from '../calls/call-kernel.ts'
import type { Execution } from '../calls/execution.ts'
import { inCall } from '../calls/journal.ts'
import { untilStored } from '../calls/until-stored.ts'
import { retryUntilStored } from '../kernel/retry-until-stored.ts'
import { journalId, userPartition } from '../records/keys.ts'
import type { Transaction } from '../records/transaction.ts'
import { keyText } from './approval-key.ts'
import { putRemembered, rememberedId, widest } from './remembered.ts'

/** Returns the remembered approval for a key, or what this call found when it ran before. */
export async function getApproval(
  kernel: CallKernel,
  execution: Execution,
  key: unknown,
): Promise<ApprovalScope | null> {
  await untilStored(kernel, execution, () => kernel.heartbeat.alive())
  const { tenant, userId, toolName } = execution.identity
  const approval = rememberedId(userId, toolName, keyText(key))
  const id = journalId(execution.id, `get ${approval} ${execution.count(`get ${approval}`)}`)
  return await inCall(kernel, execution, id, async (tx, entry) => {
    if (entry?.type === 'value') return entry.value as ApprovalScope | null
    const [session, always] = await tx.read(
      ['remembered', approval],
      ['remembered', approval, userPartition(tenant, userId)],
    )
    const scope = widest(session, always)
    if (scope === 'once') tx.delete('remembered', approval)
    tx.put('journal', id, { type: 'value', value: scope })
    return scope
  })
}

/** Remembers an approval. A re-run does not remember it again, because a "once" may have been consumed since. */
export async function setApproval(
  kernel: CallKernel,
  execution: Execution,
  key: unknown,
  scope: ApprovalScope,
): Promise<void> {
  await untilStored(kernel, execution, () => kernel.heartbeat.alive())
  const { tenant, userId, toolName: tool, sessionId } = execution.identity
  const canonical = keyText(key)
  const approval = rememberedId(userId, tool, canonical)
  const id = journalId(execution.id, `set ${approval} ${execution.count(`set ${approval}`)}`)
  const put = (tx: Transaction, partition: 'session' | 'user') =>
    putRemembered(tx, tenant, approval, {
      ...{ userId, tool, key: canonical, scope, approvedAt: tx.now },
      ...(partition === 'session' && { sessionId }),
    })
  const known = await inCall(kernel, execution, id, async (tx, entry) => {
    if (entry) return true
    if (scope === 'always') return false
    await tx.read(['remembered', approval])
    put(tx, 'session')
    tx.put('journal', id, { type: 'value', value: scope })
    return true
  })
  if (known) return
  await retryUntilStored(kernel, () =>
    kernel.transact(userPartition(tenant, userId), async (tx) => {
      await tx.read(['remembered', approval])
      put(tx, 'user')
    }),
  )
  await inCall(kernel, execution, id, (tx) => tx.put('journal', id, { type: 'value', value: scope }))
}
