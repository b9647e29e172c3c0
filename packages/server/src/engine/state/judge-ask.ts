import type { CallRow, QuestionRow } from './rows.ts'

/** The meaning of a question under a key, given earlier questions under it. */
export type AskVerdict =
  | { type: 'open'; attempt: number }
  /** The same question: return its outcome, or continue to wait for it. */
  | { type: 'attach'; row: QuestionRow }
  /** Something else was asked under this key: its answer must never be taken for this one's. */
  | { type: 'supersede'; row: QuestionRow; attempt: number }

export function judgeAsk(
  known: CallRow['keys'][string] | undefined,
  row: QuestionRow | null,
  digest: string,
): AskVerdict {
  if (!known) return { type: 'open', attempt: 1 }
  const attempt = known.attempt + 1
  // Dropped by retention.
  if (!row) return { type: 'open', attempt }
  const same = known.digest === digest
  // The tool continued without this answer, and does so again.
  if (same && row.pending) return { type: 'attach', row }
  // Its answer left as a follow-up: it cannot be consumed a second time.
  if (row.outcome?.type === 'follow_up') return { type: 'open', attempt }
  if (same) return { type: 'attach', row }
  return row.outcome ? { type: 'open', attempt } : { type: 'supersede', row, attempt }
}
