import type { QuestionRow } from './rows.ts'

/** States in which a question may still change. */
export function isLive({ status, outcome }: QuestionRow): boolean {
  return !outcome && (status === 'open' || status === 'answered' || status === 'timing_out' || status === 'deferred')
}

/** States in which a person can answer. */
export function isPending({ status }: QuestionRow): boolean {
  return status === 'open' || status === 'deferred'
}

export function audienceOf(row: QuestionRow): readonly string[] {
  return row.request.type === 'interaction_request' ? (row.request.audience ?? []) : []
}
