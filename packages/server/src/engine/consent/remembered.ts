import type { ApprovalScope } from '@holdpoint/core'
import type { DiffDecisions } from '@holdpoint/core/internal'
import { digestOf } from '../../base/canonical-json.ts'
import type { Execution } from '../calls/execution.ts'
import type { Kernel } from '../kernel/kernel.ts'
import { grantsTag, journalId, userPartition } from '../records/keys.ts'
import type { Ref, Transaction } from '../records/transaction.ts'
import type { Answered, GrantRow, JournalRow, QuestionRow } from '../state/rows.ts'

/**
 * Approvals for more than one question. They are keyed by tenant, user, (session,) tool and the canonical text of the
 * key. "Once" and "session" are stored with the session, "always" with the user.
 */
export interface Granted {
  scope: ApprovalScope
}

export const grantId = (userId: string, toolName: string, key: string) => digestOf([userId, toolName, key])

/**
 * The rows that the decision about a remembered approval reads: the earlier decision of this call, the session's
 * approval, and the user's.
 */
export function grantRefs(execution: Execution, key: string, question: string): Ref[] {
  const { tenant, userId, toolName } = execution.identity
  const id = grantId(userId, toolName, key)
  return [
    ['journal', journalId(execution.id, `granted ${question}`)],
    ['grant', id],
    ['grant', id, userPartition(tenant, userId)],
  ]
}

/**
 * Returns the remembered approval that makes a question unnecessary. A "once" is consumed by it. The decision is
 * journaled, so that a re-run of the call decides alike, even if the approval has been consumed or revoked since.
 */
export function takeGrant(tx: Transaction, [journal, grant]: readonly Ref[], rows: readonly unknown[]): Granted | null {
  const [journaled, session, always] = rows as [JournalRow | null, GrantRow | null, GrantRow | null]
  if (journaled?.type === 'value') return { scope: journaled.value as ApprovalScope }
  const scope = widest(session, always)
  if (!scope) return null
  if (scope === 'once' && grant) tx.delete('grant', grant[1])
  if (journal) tx.put('journal', journal[1], { type: 'value', value: scope })
  return { scope }
}

export function widest(session: GrantRow | null, always: GrantRow | null): ApprovalScope | null {
  return always?.scope ?? session?.scope ?? null
}

export function putGrant(tx: Transaction, tenant: string, id: string, grant: GrantRow): void {
  tx.put('grant', id, grant, { tags: [grantsTag(tenant, grant.userId)] })
}

/** The extent of a revocation: everything of the user, a tool, a key, or one key of one tool. */
export interface RevokedScope {
  tool?: string | undefined
  key?: string | undefined
}

/** The id of the mark that a revocation leaves with the user. An "always" that is on its way is held against it. */
export const revokedId = ({ tool, key }: RevokedScope): string => digestOf(['revoked', tool ?? null, key ?? null])

/** Whether a remembered approval covers an open question: it would have spared the question, had it been given earlier. */
export function covers(grant: GrantRow, row: QuestionRow, now: number): boolean {
  return (
    row.status === 'open' &&
    now < row.expiresAt &&
    row.userId === grant.userId &&
    row.toolName === grant.tool &&
    row.grantKey === grant.key
  )
}

/** Stores an approval that is remembered for always, unless it was revoked since it was given. */
export async function applyGrant(kernel: Kernel, tenant: string, id: string, grant: GrantRow): Promise<void> {
  await kernel.transact(userPartition(tenant, grant.userId), async (tx) => {
    const { tool, key } = grant
    const refs = [{}, { tool }, { key }, { tool, key }].map((scope): Ref<'revoked'> => ['revoked', revokedId(scope)])
    await tx.read(['grant', id])
    const marks = await tx.read(...refs)
    if (marks.every((mark) => !mark || mark.at < grant.grantedAt)) putGrant(tx, tenant, id, grant)
  })
}

/** Whether the person approved something else than what was asked: other arguments, or a part of the diff. */
export function isPartial(
  { request }: Pick<QuestionRow, 'request'>,
  { args, diffDecisions }: { args?: unknown; diffDecisions?: DiffDecisions | undefined },
): boolean {
  if (args !== undefined) return true
  const decisions = new Map(Object.entries(diffDecisions ?? {}))
  if (decisions.size === 0) return false
  const diff = (request.type === 'interaction_request' && request.diff) || []
  // The decision about a file without hunks is stored under its path. In a partial decision, undecided hunks count as
  // rejected.
  const ids = diff.flatMap(({ hunks, path }) => (hunks.length > 0 ? hunks.map(({ id }) => id) : [path]))
  return [...decisions.values()].includes('reject') || ids.some((id) => decisions.get(id) !== 'accept')
}

/** Returns the remembered approval that an answer creates. */
export function grantOf(row: QuestionRow, answered: Answered): { id: string; grant: GrantRow } | null {
  const { grantKey: key, userId, toolName: tool, id: interactionId } = row
  const { approvalScope: scope, at: grantedAt } = answered
  // Only a yes to the whole is remembered, and never what the person changed.
  if (key === undefined || answered.action !== 'approve' || isPartial(row, answered)) return null
  // A remembered approval gave this answer: it is remembered already.
  if (answered.coveredBy !== undefined) return null
  if (scope !== 'session' && scope !== 'always') return null
  const grant: GrantRow = { userId, tool, key, scope, grantedAt, interactionId }
  return { id: grantId(userId, tool, key), grant: scope === 'session' ? { ...grant, sessionId: row.sessionId } : grant }
}
