import type { Principal } from '../../base/principal.ts'
import { tenantOf } from '../access/authorize.ts'
import type { Reply } from '../api/engine.ts'
import type { Kernel } from '../kernel/kernel.ts'
import { keyText } from './approval-key.ts'
import { rememberedPage, revokeRemembered } from './list-remembered.ts'

/** Returns a page of the user's remembered approvals for a settings page; the newest of the page is first. */
export async function ownApprovals(
  kernel: Kernel,
  principal: Principal,
  page: { after?: string; limit: number },
): Promise<Reply> {
  const owner = { tenant: tenantOf(principal), userId: principal.userId }
  const { approvals: remembered, next } = await rememberedPage(kernel, owner, page)
  const approvals = remembered
    .sort((one, other) => other.approvedAt.getTime() - one.approvedAt.getTime())
    .map((one) => ({ ...one, approvedAt: one.approvedAt.toISOString() }))
  return { status: 200, body: { approvals, ...(next !== undefined && { next }) } }
}

/** Forgets the user's own approvals of one key of a tool, in all sessions, also one that is under way. */
export async function revokeOwnApproval(
  kernel: Kernel,
  principal: Principal,
  { toolName: tool, key }: { toolName: string; key: unknown },
): Promise<Reply> {
  const owner = { tenant: tenantOf(principal), userId: principal.userId }
  const revoked = await revokeRemembered(kernel, { ...owner, tool, key: keyText(key) })
  return { status: 200, body: { status: 'accepted', revoked } }
}
