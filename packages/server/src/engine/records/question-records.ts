import { kinds } from '../state/kinds.ts'
import { audienceOf, isLive, isPending } from '../state/question.ts'
import type { QuestionRow } from '../state/rows.ts'
import { accountTag, inboxTag, namedTag, ownerTag, pendingTag, questionTag } from './keys.ts'
import type { Transaction } from './transaction.ts'

/** Where a question's row lies: everything that lists it follows from its state, so no list can disagree with it. */
export function placement(
  row: QuestionRow,
  keepUntil: number,
): { kind: 'question' | 'ended'; due: number | null; tags: string[] } {
  if (!isLive(row)) return { kind: 'ended', due: keepUntil, tags: [] }
  const tags = [questionTag(row.id)]
  if (isPending(row)) {
    tags.push(pendingTag(row.tenant))
    for (const user of new Set([row.userId, ...audienceOf(row)])) tags.push(inboxTag(row.tenant, user))
    for (const account of kinds[row.kind].accounts(row)) tags.push(accountTag(row.tenant, row.userId, account))
  }
  // Registered calls are found by their own row.
  if (row.waiter === 'inline' && !row.registered && row.owner) tags.push(ownerTag(row.owner))
  return { kind: 'question', due: row.status === 'open' ? row.expiresAt : (row.lookAgainAt ?? null), tags }
}

/**
 * Writes a question where it belongs now, with the deliveries that its state causes. Its former place must have been read
 * in the same transaction. Returns it as it is written.
 */
export function putQuestion(tx: Transaction, row: QuestionRow): QuestionRow {
  const announced = tx.announced(row)
  rewriteQuestion(tx, announced)
  return announced
}

/** Writes a question whose state has not changed. */
export function rewriteQuestion(tx: Transaction, row: QuestionRow): void {
  const { kind, due, tags } = placement(row, tx.keepUntil)
  tx.put(kind, row.id, row, { due, tags })
  if (kind === 'ended') tx.delete('question', row.id)
  for (const userId of othersNamedIn(row)) tx.put('named', userId, { userId }, { tags: [namedTag(row.tenant, userId)] })
}

function othersNamedIn(row: QuestionRow): Set<string> {
  const named = new Set(audienceOf(row))
  if (row.answer?.by.userId !== undefined) named.add(row.answer.by.userId)
  named.delete(row.userId)
  return named
}

export async function readQuestion(tx: Transaction, id: string): Promise<QuestionRow | null> {
  const [live, ended] = await tx.read(['question', id], ['ended', id])
  return live ?? ended
}
