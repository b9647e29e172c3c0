import type { ApprovalScope } from '@holdpoint/core'
import { rowsOf, taggedPages } from '../../store/every-page.ts'
import type { Row } from '../../store/port.ts'
import type { Kernel } from '../kernel/kernel.ts'
import { rememberedTag, sessionPartition, userPartition } from '../records/keys.ts'
import { type RevokedScope, rememberedId, revokedId } from './remembered.ts'

/** An approval that is remembered. */
export interface RememberedApproval {
  toolName: string
  key: unknown
  scope: ApprovalScope
  approvedAt: Date
  /** Of approvals with the scope "once" or "session". */
  sessionId?: string
}

/** Returns the remembered approvals of a user, of all sessions or of one. */
export async function listRemembered(
  kernel: Kernel,
  { tenant, userId, tool, sessionId }: { tenant: string; userId: string; tool?: string; sessionId?: string },
): Promise<RememberedApproval[]> {
  await kernel.ready()
  return approvalsIn(kernel, await rememberedRows(kernel, tenant, userId))
    .filter((one) => tool === undefined || one.toolName === tool)
    .filter((one) => sessionId === undefined || one.sessionId === undefined || one.sessionId === sessionId)
}

/** Returns one page of the remembered approvals of a user, in the order of the store. */
export async function rememberedPage(
  kernel: Kernel,
  { tenant, userId }: { tenant: string; userId: string },
  page: { after?: string; limit: number },
): Promise<{ approvals: RememberedApproval[]; next?: string }> {
  await kernel.ready()
  const { rows, next } = await kernel.store.byTag(rememberedTag(tenant, userId), page)
  return { approvals: approvalsIn(kernel, rows), ...(next !== undefined && { next }) }
}

const approvalsIn = (kernel: Kernel, rows: readonly Row[]): RememberedApproval[] =>
  kernel.rows.all('remembered', rows).map((one) => ({
    toolName: one.tool,
    key: JSON.parse(one.key) as unknown,
    scope: one.scope,
    approvedAt: new Date(one.approvedAt),
    ...(one.sessionId !== undefined && { sessionId: one.sessionId }),
  }))

/** Forgets approvals of one key of a tool, also one that is on its way: always, and in every session or in one. */
export async function revokeRememberedKey(
  kernel: Kernel,
  {
    tenant,
    userId,
    tool,
    key,
    sessionId,
  }: { tenant: string; userId: string; tool: string; key: string; sessionId?: string },
): Promise<number> {
  await kernel.ready()
  const id = rememberedId(userId, tool, key)
  const own = userPartition(tenant, userId)
  const inSession = sessionId === undefined ? undefined : sessionPartition(tenant, sessionId)
  await markRevoked(kernel, own, { tool, key })
  const found = (await rememberedRows(kernel, tenant, userId))
    .filter((row) => row.id === id)
    .map((row) => row.partition)
  const partitions = found.filter((one) => inSession === undefined || one === inSession || one === own)
  return await deleteRemembered(kernel, new Set(partitions), id)
}

/** Forgets what a user approved in all sessions: everything, or what belongs to a tool, a key or both. */
export async function revokeRemembered(
  kernel: Kernel,
  { tenant, userId, tool, key }: { tenant: string; userId: string } & RevokedScope,
): Promise<number> {
  await kernel.ready()
  // First: an "always" that arrives between the two steps is found by the second.
  await markRevoked(kernel, userPartition(tenant, userId), { tool, key })
  let revoked = 0
  for (const row of await rememberedRows(kernel, tenant, userId)) {
    const [one] = kernel.rows.all('remembered', [row])
    // The key of an unreadable row is unknown, so only a revocation of everything includes it.
    const matches = (wanted: string | undefined, found: string | undefined) => wanted === undefined || wanted === found
    if (!matches(tool, one?.tool) || !matches(key, one?.key)) continue
    revoked += await deleteRemembered(kernel, new Set([row.partition]), row.id)
  }
  return revoked
}

/** Leaves a mark with the store's time: an "always" that was answered before it and is still on its way is dropped. */
async function markRevoked(kernel: Kernel, partition: string, scope: RevokedScope): Promise<void> {
  const mark = revokedId(scope)
  await kernel.transact(partition, async (tx) => {
    await tx.read(['revoked', mark])
    tx.put('revoked', mark, { at: tx.now }, { due: tx.keepUntil })
  })
}

async function deleteRemembered(kernel: Kernel, partitions: ReadonlySet<string>, id: string): Promise<number> {
  let deleted = 0
  for (const partition of partitions) {
    deleted += await kernel.transact(partition, async (tx) => {
      const [one] = await tx.read(['remembered', id])
      tx.delete('remembered', id)
      return one ? 1 : 0
    })
  }
  return deleted
}

const rememberedRows = (kernel: Kernel, tenant: string, userId: string): Promise<Row[]> =>
  rowsOf(taggedPages(kernel.store, rememberedTag(tenant, userId)))
