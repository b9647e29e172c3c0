import type { ApprovalScope } from '@holdpoint/core'
import type { DiffDecisions } from '@holdpoint/core/internal'
import { digestOf } from '../../base/canonical-json.ts'
import type { Execution } from '../calls/execution.ts'
import type { Kernel } from '../kernel/kernel.ts'
import { journalId, rememberedTag, userPartition } from '../records/keys.ts'
import type { Ref, Transaction } from '../records/transaction.ts'
import type { Answered, JournalRow, QuestionRow, RememberedRow } from '../state/rows.ts'

/**
 * Approvals for more than one question. They are keyed by tenant, user, (session,) tool and the canonical text of the
 * key. "Once" and "session" are stored with the session, "always" with the user.
 */
export interface Remembered {
  scope: ApprovalScope
  /**
   * The question whose answer is remembered. Undefined if code remembered the approval, and in a re-run of the call, which
   * has recorded it already.
   */
  coveredBy?: string
}

export const rememberedId = (userId: string, toolName: string, key: string) => digestOf([userId, toolName, key])

/**
 * The rows that the decision about a remembered approval reads: the earlier decision of this call, the session's
 * approval, and the user's.
 */
export function rememberedRefs(execution: Execution, key: string, question: string): Ref[] {
  const { tenant, userId, toolName } = execution.identity
  const id = rememberedId(userId, toolName, key)
  return [
    ['journal', journalId(execution.id, `remembered ${question}`)],
    ['remembered', id],
    ['remembered', id, userPartition(tenant, userId)],
  ]
}

/**
 * Returns the remembered approval that makes a question unnecessary. A "once" is consumed by it. The decision is
 * journaled, so that a re-run of the call decides alike, even if the approval has been consumed or revoked since.
 */
export function takeRemembered(
  tx: Transaction,
  [journal, remembered]: readonly Ref[],
  rows: readonly unknown[],
): Remembered | null {
  const [journaled, session, always] = rows as [JournalRow | null, RememberedRow | null, RememberedRow | null]
  if (journaled?.type === 'value') return { scope: journaled.value as ApprovalScope }
  const scope = widest(session, always)
  if (!scope) return null
  if (scope === 'once' && remembered) tx.delete('remembered', remembered[1])
  if (journal) tx.put('journal', journal[1], { type: 'value', value: scope })
  const coveredBy = (always ?? session)?.interactionId
  return { scope, ...(coveredBy !== undefined && { coveredBy }) }
}

export function widest(session: RememberedRow | null, always: RememberedRow | null): ApprovalScope | null {
  return always?.scope ?? session?.scope ?? null
}

export function putRemembered(tx: Transaction, tenant: string, id: string, remembered: RememberedRow): void {
  tx.put('remembered', id, remembered, { tags: [rememberedTag(tenant, remembered.userId)] })
}

/** The extent of a revocation: everything of the user, a tool, a key, or one key of one tool. */
export interface RevokedScope {
  tool?: string | undefined
  key?: string | undefined
}

/** The id of the mark that a revocation leaves with the user. An "always" that is on its way is held against it. */
export const revokedId = ({ tool, key }: RevokedScope): string => digestOf(['revoked', tool ?? null, key ?? null])

/** Whether a remembered approval covers an open question: it would have spared the question, had it been given earlier. */
export function covers(remembered: RememberedRow, row: QuestionRow, now: number): boolean {
  return (
    row.status === 'open' &&
    now < row.expiresAt &&
    row.userId === remembered.userId &&
    row.toolName === remembered.tool &&
    row.rememberedKey === remembered.key
  )
}

/** Stores an approval that is remembered for always, unless it was revoked since it was given. */
export async function applyRemembered(
  kernel: Kernel,
  tenant: string,
  id: string,
  remembered: RememberedRow,
): Promise<void> {
  await kernel.transact(userPartition(tenant, remembered.userId), async (tx) => {
    const { tool, key } = remembered
    const refs = [{}, { tool }, { key }, { tool, key }].map((scope): Ref<'revoked'> => ['revoked', revokedId(scope)])
    await tx.read(['remembered', id])
    const marks = await tx.read(...refs)
    if (marks.every((mark) => !mark || mark.at < remembered.approvedAt)) putRemembered(tx, tenant, id, remembered)
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
export function rememberedOf(row: QuestionRow, answered: Answered): { id: string; remembered: RememberedRow } | null {
  const { rememberedKey: key, userId, toolName: tool, id: interactionId } = row
  const { approvalScope: scope, at: approvedAt } = answered
  // Only a yes to the whole is remembered, and never what the person changed.
  if (key === undefined || answered.action !== 'approve' || isPartial(row, answered)) return null
  // A remembered approval gave this answer: it is remembered already.
  if (answered.coveredBy !== undefined) return null
  if (scope !== 'session' && scope !== 'always') return null
  const remembered: RememberedRow = { userId, tool, key, scope, approvedAt, interactionId }
  return {
    id: rememberedId(userId, tool, key),
    remembered: scope === 'session' ? { ...remembered, sessionId: row.sessionId } : remembered,
  }
}
