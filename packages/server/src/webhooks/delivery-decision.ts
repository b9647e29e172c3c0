/** The result of one delivery attempt. */
export type Attempt =
  | { kind: 'answered'; status: number; retryAfterMs?: number }
  | { kind: 'failed'; reason: 'unreachable' | 'url_not_allowed' | 'no_target' }

export type NextStep = { kind: 'done' } | { kind: 'retry'; afterMs: number } | { kind: 'dead' }

/** Statuses after which a retry would not help. */
const FINAL: ReadonlySet<number> = new Set([400, 403, 404, 405, 410, 413, 415, 422])

/**
 * Decides whether and when a webhook is sent again. `chance`, between 0 and 1, spreads the retries of webhooks that
 * failed together.
 */
export function nextStep(attempt: Attempt, attempts: number, delaysMs: readonly number[], chance: number): NextStep {
  if (attempt.kind === 'answered' && attempt.status >= 200 && attempt.status < 300) return { kind: 'done' }
  if (attempt.kind === 'answered' && FINAL.has(attempt.status)) return { kind: 'dead' }
  if (attempt.kind === 'failed' && attempt.reason !== 'unreachable') return { kind: 'dead' }
  const delay = delaysMs[attempts - 1]
  if (delay === undefined) return { kind: 'dead' }
  const asked = attempt.kind === 'answered' ? (attempt.retryAfterMs ?? 0) : 0
  return { kind: 'retry', afterMs: Math.max(asked, Math.round(delay * (0.8 + 0.4 * chance))) }
}

/** Returns a Retry-After header in milliseconds, one hour at most. Returns undefined if it is missing or invalid. */
export function retryAfterOf(header: string | null, now: number): number | undefined {
  if (!header || !/^(\d+$|[a-z])/i.test(header)) return undefined
  const ms = /^\d{1,9}$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now
  return Number.isFinite(ms) && ms > 0 ? Math.min(ms, 3_600_000) : undefined
}

/** Returns the reason of a failed attempt for logs and lists: a status or a word. */
export function reasonOf(attempt: Attempt): string {
  return attempt.kind === 'answered' ? `status ${attempt.status}` : attempt.reason
}
