import type { ApprovalScope } from '@holdpoint/core/protocol'
import type { Row } from '../store/port.ts'
import { decodeRow } from './codec.ts'
import type { Core } from './core.ts'
import { grantId } from './grants.ts'
import { grantsTag, sessionPartition, userPartition } from './names.ts'
import type { GrantRow } from './rows.ts'

const PAGE = 100

/** An approval that is remembered. */
export interface RememberedApproval {
  toolName: string
  key: unknown
  scope: ApprovalScope
  grantedAt: Date
  /** Of "once" and "session" grants. */
  sessionId?: string
}

/** What a user approved for longer than one question, of every session or of one. */
export async function listGrants(
  core: Core,
  { tenant, userId, tool, sessionId }: { tenant: string; userId: string; tool?: string; sessionId?: string },
): Promise<RememberedApproval[]> {
  await core.ready()
  const grants = (await grantRows(core, tenant, userId)).map(({ data }) => decodeRow('grant', data) as GrantRow)
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

/** Forgets approvals of one key of a tool: for good, and in every session or in one. Returns how many there were. */
export async function revokeGrant(
  core: Core,
  {
    tenant,
    userId,
    tool,
    key,
    sessionId,
  }: { tenant: string; userId: string; tool: string; key: string; sessionId?: string },
): Promise<number> {
  await core.ready()
  const id = grantId(userId, tool, key)
  const own = userPartition(tenant, userId)
  const inSession = sessionId === undefined ? undefined : sessionPartition(tenant, sessionId)
  const found = (await grantRows(core, tenant, userId)).filter((row) => row.id === id).map((row) => row.partition)
  const partitions = found.filter((one) => inSession === undefined || one === inSession)
  let revoked = 0
  // With the user always, whether or not there is one: it may be on its way.
  for (const partition of new Set([own, ...partitions])) {
    revoked += await core.transact(partition, async (tx) => {
      const [grant] = await tx.read(['grant', id], ['revoked', id])
      if (partition === own) tx.put('revoked', id, { at: tx.now }, { due: tx.keepUntil })
      tx.delete('grant', id)
      return grant ? 1 : 0
    })
  }
  return revoked
}

async function grantRows(core: Core, tenant: string, userId: string): Promise<Row[]> {
  const rows: Row[] = []
  let after: string | undefined
  do {
    const page = await core.store.byTag(grantsTag(tenant, userId), {
      limit: PAGE,
      ...(after !== undefined && { after }),
    })
    rows.push(...page.rows)
    after = page.next
  } while (after !== undefined)
  return rows
}
