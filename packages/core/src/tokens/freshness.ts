import type { AccountRecord, TokenSet } from './types.ts'

export interface FreshnessOptions {
  earlyMs: number
  refreshBy: 'token' | 'cookie'
}

/**
 * The time until which a token is used without a refresh: its expiry minus a margin of at most a quarter of its
 * lifetime.
 */
export function freshUntil({ expiresAt, obtainedAt }: TokenSet, earlyMs: number): number {
  if (expiresAt === undefined) return Infinity
  return expiresAt - Math.min(earlyMs, (expiresAt - (obtainedAt ?? -Infinity)) / 4)
}

/** True while a service should still take it. */
export function isLive({ expiresAt = Infinity }: TokenSet, now: number): boolean {
  return now < expiresAt
}

export type NextStep = 'use' | 'refresh' | 'signed-out' | 'lost' | 'expired'

/**
 * Decides the next step after re-reading the store under the lock, because another process may have refreshed or signed
 * out. `rejected` is a token that a service has just rejected.
 */
export function nextStep(
  record: AccountRecord | null,
  rejected: string | undefined,
  now: number,
  { earlyMs, refreshBy }: FreshnessOptions,
): NextStep {
  const tokens = record?.tokens
  if (record?.lost) return 'lost'
  if (!tokens) return refreshBy === 'cookie' && !record ? 'refresh' : 'signed-out'
  const refused = tokens.accessToken === rejected
  if (!refused && now < freshUntil(tokens, earlyMs)) return 'use'
  if (tokens.refreshToken !== undefined || refreshBy === 'cookie') return 'refresh'
  return !refused && isLive(tokens, now) ? 'use' : 'expired'
}

/** The next version. The count orders copies, and the random part distinguishes two writers. */
export function versionAfter(version: string | null | undefined, id: string): string {
  return `${countOf(version) + 1}.${id}`
}

/** Returns the copy of a record to keep: the later one; of two simultaneous ones, the one that signs out. */
export function later(a: AccountRecord | null, b: AccountRecord | null): AccountRecord | null {
  if (!a || !b) return a ?? b
  const [one, other] = [countOf(a.version), countOf(b.version)]
  if (one !== other) return one > other ? a : b
  if (!a.tokens !== !b.tokens) return a.tokens ? b : a
  return a.version > b.version ? a : b
}

function countOf(version: string | null | undefined): number {
  const count = Number.parseInt(version ?? '0', 10)
  return Number.isSafeInteger(count) && count > 0 ? count : 0
}
