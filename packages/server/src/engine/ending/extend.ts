import type { ExtendInteractionMessage } from '@holdpoint/core/internal'
import type { Principal } from '../../base/principal.ts'
import { may, refusal, tenantOf } from '../access/authorize.ts'
import type { Reply } from '../api/engine.ts'
import type { Kernel } from '../kernel/kernel.ts'
import { SESSION_ROW, sessionPartition } from '../records/keys.ts'
import { putQuestion, readQuestion } from '../records/question-records.ts'
import { iso } from '../state/question-events.ts'
import { extend } from '../state/question-steps.ts'

/** Extends the deadline by the question's original time limit. */
export async function extendQuestion(
  kernel: Kernel,
  principal: Principal,
  sessionId: string,
  { interactionId }: ExtendInteractionMessage,
): Promise<Reply> {
  await kernel.ready()
  const partition = sessionPartition(tenantOf(principal), sessionId)
  return await kernel.transact(partition, async (tx): Promise<Reply> => {
    const [session] = await tx.read(['session', SESSION_ROW])
    if (!session) return refusal('not_found')
    const row = await readQuestion(tx, interactionId)
    if (!(await may(kernel, principal, 'extend', session, row ?? undefined))) {
      return refusal((await may(kernel, principal, 'read', session)) ? 'forbidden' : 'not_found')
    }
    if (!row) return refusal('unknown_interaction')
    const extendable = row.request.type === 'interaction_request' && row.request.extendable === true
    if (row.status !== 'open' || !extendable || tx.now >= row.expiresAt) return refusal('not_extendable')
    const { row: next, event } = extend(row, Math.max(row.expiresAt, tx.now + row.timeoutMs), tx.now)
    putQuestion(tx, next)
    tx.event(event)
    return { status: 200, body: { status: 'extended', expiresAt: iso(next.expiresAt) } }
  })
}
