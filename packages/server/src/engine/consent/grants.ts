import type { ApprovalScope } from '@holdpoint/core'
import type { DiffDecisions } from '@holdpoint/core/internal'
import { digestOf } from '../../base/canonical-json.ts'
import type { Execution } from '../calls/execution.ts'
import type { Kernel } from '../kernel/kernel.ts'
import { grantsTag, journalId, userPartition } from '../records/keys.ts'
import type { Ref, Transaction } from '../records/transaction.ts'
import type { Answered, GrantRow, JournalRow, QuestionRow } from '../state/rows.ts'

/**
 * Approvals that were given for longer than one question. They are keyed by tenant, user, (session,) tool and the
 * canonical text of the key. "Once" and "session" lie with the session, "always" with the user.
 */
export interface Granted {
  scope: ApprovalScope
}

export const grantId = (userId: string, toolName: string, key: string) => digestOf([userId, toolName, key])

/** What deciding about a grant reads: what this call decided before, the session's grant, the user's. */
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
 * The grant that spares a question. A "once" is used up by it. What was decided is journaled: a re-run of the call
 * decides alike, even when the grant is used up or revoked by then.
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

/** What a revocation is about: everything of the user, a tool, a key, or one key of one tool. */
export interface RevokedScope {
  tool?: string | undefined
  key?: string | undefined
}

/** The id of the mark that a revocation leaves with the user. An "always" that is on its way is held against it. */
export const revokedId = ({ tool, key }: RevokedScope): string => digestOf(['revoked', tool ?? null, key ?? null])

/** Gives the user a grant for good, unless it was revoked since it was given. */
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
  // A file without hunks is decided under its path. What was not decided, beside others that were, is not accepted.
  const ids = diff.flatMap(({ hunks, path }) => (hunks.length > 0 ? hunks.map(({ id }) => id) : [path]))
  return [...decisions.values()].includes('reject') || ids.some((id) => decisions.get(id) !== 'accept')
}

/** What an answer grants for good. */
export function grantOf(row: QuestionRow, answered: Answered): { id: string; grant: GrantRow } | null {
  const { grantKey: key, userId, toolName: tool, id: interactionId } = row
  const { approvalScope: scope, at: grantedAt } = answered
  // Only a yes to the whole is remembered, and never what the person changed.
  if (key === undefined || answered.action !== 'approve' || isPartial(row, answered)) return null
  if (scope !== 'session' && scope !== 'always') return null
  const grant: GrantRow = { userId, tool, key, scope, grantedAt, interactionId }
  return { id: grantId(userId, tool, key), grant: scope === 'session' ? { ...grant, sessionId: row.sessionId } : grant }
}
