import { canonicalJson, recordable } from '../../base/canonical-json.ts'
import { checkClaim, checkEntry, type Entry } from '../calls/claim-call.ts'
import type { Execution } from '../calls/execution.ts'
import { readQuestion } from '../records/question-records.ts'
import type { Transaction } from '../records/transaction.ts'
import type { QuestionRow } from '../state/rows.ts'
import type { Opened, OpenRequest } from './open-question.ts'

/**
 * Returns what a gate that is bound to the input of its call learns without writing: the execution that begins the call
 * finds the same question, and records its outcome together with its claim. Undefined if the gate has something to write.
 */
export async function seenAtGate(
  tx: Transaction,
  execution: Execution,
  { key, digest, plain }: OpenRequest,
  rows: Entry,
): Promise<Opened | undefined> {
  const [session, call] = rows
  const { gatedInput, fence, staged } = execution
  if (gatedInput === undefined || fence > 0 || staged || !session || !call) return undefined
  checkEntry(tx, execution, rows)
  checkClaim(execution, call)
  const known = call.keys[key]
  const row = known?.digest === digest ? await readQuestion(tx, known.interactionId) : null
  if (!row || row.pending) return undefined
  if (row.outcome?.type === 'complete') return { type: 'settled', value: row.outcome.value }
  const outcome = plain?.(row)
  if (outcome) return { type: 'settled', value: recordable('The result of a question', outcome.complete) }
  return row.status === 'open' && isOwn(execution, row) ? { type: 'question', row, asked: false } : undefined
}

/** A gate asked it, with the same pointer to what shall continue. */
function isOwn({ wake = null }: Execution, row: QuestionRow): boolean {
  return row.waiter === 'gate' && canonicalJson(wake) === canonicalJson(row.wake ?? null)
}
