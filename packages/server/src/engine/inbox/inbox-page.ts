import type { InboxPage } from '@holdpoint/core/internal'
import type { Principal } from '../../base/principal.ts'
import { tenantOf } from '../access/authorize.ts'
import type { DeliveryKernel } from '../delivery/delivery-kernel.ts'
import { inboxTag } from '../records/keys.ts'
import { INBOX_PAGE, rights, shown, withinBytes } from '../session/snapshot.ts'
import type { QuestionRow } from '../state/rows.ts'

/**
 * Returns the open questions of this user in all sessions. The tag is built from the principal, so only the user's own
 * inbox can be read.
 */
export async function inboxPage(
  kernel: DeliveryKernel,
  principal: Principal,
  { after, limit = INBOX_PAGE }: { after?: string; limit?: number },
): Promise<InboxPage> {
  await kernel.ready()
  const tag = inboxTag(tenantOf(principal), principal.userId)
  const { rows, next } = await kernel.store.byTag(tag, {
    limit: Math.min(limit, INBOX_PAGE),
    ...(after !== undefined && { after }),
  })
  const fitting = withinBytes(rows)
  if (fitting < rows.length)
    return await inboxPage(kernel, principal, { ...(after !== undefined && { after }), limit: fitting })
  const found = kernel.rows.all('question', rows)
  const items = await inboxItems(kernel, principal, found)
  return { items, ...(next !== undefined && { next }), ...(found.length < rows.length && { incomplete: true }) }
}

/**
 * Adds the rights of the user to each question. In their own sessions users have the rights that the page of the session
 * states, so the host is asked once for each.
 */
export async function inboxItems(kernel: DeliveryKernel, principal: Principal, rows: readonly QuestionRow[]) {
  const owned = new Map<string, ReturnType<typeof rights>>()
  const rightsTo = (row: QuestionRow) => {
    if (row.userId !== principal.userId) return rights(kernel, principal, row, row)
    const known = owned.get(row.sessionId) ?? rights(kernel, principal, row)
    owned.set(row.sessionId, known)
    return known
  }
  return await Promise.all(
    rows.map(async (row) => ({ sessionId: row.sessionId, interaction: shown(row), you: await rightsTo(row) })),
  )
}
