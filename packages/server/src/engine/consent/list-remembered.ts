import type { ApprovalScope } from '@holdpoint/core'
import { rowsOf, taggedPages } from '../../store/every-page.ts'
import type { Row } from '../../store/port.ts'
import type { Kernel } from '../kernel/kernel.ts'
import { grantsTag, sessionPartition, userPartition } from '../records/keys.ts'
import { grantId, type RevokedScope, revokedId } from './grants.ts'

/** An approval that is remembered. */
export interface RememberedApproval {
  toolName: string
  key: unknown
  scope: ApprovalScope
  grantedAt: Date
  /** Of approvals with the scope "once" or "session". */
  sessionId?: string
}

/** Returns the remembered approvals of a user, of all sessions or of one. */
export async function listGrants(
  kernel: Kernel,
  { tenant, userId, tool, sessionId }: { tenant: string; userId: string; tool?: string; sessionId?: string },
): Promise<RememberedApproval[]> {
  await kernel.ready()
  const grants = kernel.rows.all('grant', await grantRows(kernel, tenant, userId))
  return grants
    .filter((grant) => tool === undefined || grant.tool === tool)
    .filter((grant) => sessionId === undefined || grant.sessionId === undefined || grant.sessionId === sessionId)
    .map((grant) => ({
      toolName: grant.tool,
      key: JSON.parse(grant.key) as unknown,
      scope: grant.scope,
      grantedAt: new Date(grant.grantedAt),
      ...(grant.sessionId !== undefined && { sessionId: grant.sessionId }),
    }))
}

/** Forgets approvals of one key of a tool, also one that is on its way: always, and in every session or in one. */
export async function revokeGrant(
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
  const id = grantId(userId, tool, key)
  const own = userPartition(tenant, userId)
  const inSession = sessionId === undefined ? undefined : sessionPartition(tenant, sessionId)
  await markRevoked(kernel, own, { tool, key })
  const found = (await grantRows(kernel, tenant, userId)).filter((row) => row.id === id).map((row) => row.partition)
  const partitions = found.filter((one) => inSession === undefined || one === inSession || one === own)
  return await deleteGrants(kernel, new Set(partitions), id)
}

/** Forgets what a user approved in all sessions: everything, or what belongs to a tool, a key or both. */
export async function revokeGrants(
  kernel: Kernel,
  { tenant, userId, tool, key }: { tenant: string; userId: string } & RevokedScope,
): Promise<number> {
  await kernel.ready()
  // First: an "always" that arrives between the two steps is found by the second.
  await markRevoked(kernel, userPartition(tenant, userId), { tool, key })
  let revoked = 0
  for (const row of await grantRows(kernel, tenant, userId)) {
    const [grant] = kernel.rows.all('grant', [row])
    // The key of an unreadable row is unknown, so only a revocation of everything includes it.
    const meant = (wanted: string | undefined, found: string | undefined) => wanted === undefined || wanted === found
    if (!meant(tool, grant?.tool) || !meant(key, grant?.key)) continue
    revoked += await deleteGrants(kernel, new Set([row.partition]), row.id)
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

async function deleteGrants(kernel: Kernel, partitions: ReadonlySet<string>, id: string): Promise<number> {
  let deleted = 0
  for (const partition of partitions) {
    deleted += await kernel.transact(partition, async (tx) => {
      const [grant] = await tx.read(['grant', id])
      tx.delete('grant', id)
      return grant ? 1 : 0
    })
  }
  return deleted
}

const grantRows = (kernel: Kernel, tenant: string, userId: string): Promise<Row[]> =>
  rowsOf(taggedPages(kernel.store, grantsTag(tenant, userId)))
