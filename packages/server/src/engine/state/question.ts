import type { QuestionRow } from './rows.ts'

/** States in which a question may still change. */
export function isLive({ status, outcome }: QuestionRow): boolean {
  return !outcome && (status === 'open' || status === 'answered' || status === 'timing_out' || status === 'deferred')
}

/** States in which a person can answer. */
export function isPending({ status }: QuestionRow): boolean {
  return status === 'open' || status === 'deferred'
}

/** An account is connected by its owner only. */
export function audienceOf({ request, audience = [] }: QuestionRow): readonly string[] {
  if (request.type !== 'interaction_request') return []
  const named = request.audience ?? []
  return audience.length === 0 ? named : [...new Set([...named, ...audience])]
}
