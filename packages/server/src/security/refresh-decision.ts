/** A family of refresh tokens, of which each one replaces the one before. The tokens themselves are not stored. */
export interface FamilyRow {
  userId: string
  tenant?: string
  sessionId: string
  createdAt: number
  /** The number of the current token in its family, starting at 0. */
  generation: number
  /** When the latest tokens were issued, the current one last. */
  madeAt: number[]
  /** A random part of every token, so that a leaked signing key alone is not enough to forge one. */
  seed: string
  revoked?: 'logout' | 'reuse'
}

export interface RefreshTimes {
  /** Milliseconds after which an unused token expires. */
  idleMs: number
  /** Milliseconds after which the family expires, even if its tokens are used. */
  maxMs: number
  /**
   * Milliseconds for which the previous token still returns the current pair, because the response to its use may have
   * been lost.
   */
  graceMs: number
}

export type RefreshDecision =
  | { kind: 'rotate'; row: FamilyRow }
  /** The response is the current pair again. */
  | { kind: 'repeat' }
  | { kind: 'revoke'; row: FamilyRow }
  | { kind: 'revoked' }
  | { kind: 'expired' }

/** Returns when a family expires. */
export function familyEnd({ createdAt, madeAt }: FamilyRow, { idleMs, maxMs }: RefreshTimes): number {
  return Math.min((madeAt.at(-1) ?? createdAt) + idleMs, createdAt + maxMs)
}

/**
 * Decides about the use of a genuine token, which may be an older one of its family. If an old token is used after the
 * grace time, either its sender or the user of a newer token has stolen it. The server cannot distinguish the two, so
 * it revokes the family.
 */
export function decideRefresh(row: FamilyRow, generation: number, now: number, times: RefreshTimes): RefreshDecision {
  if (row.revoked) return { kind: 'revoked' }
  if (now >= familyEnd(row, times)) return { kind: 'expired' }
  if (generation === row.generation) {
    const recent = row.madeAt.filter((at) => now - at <= times.graceMs)
    return { kind: 'rotate', row: { ...row, generation: generation + 1, madeAt: [...recent, now] } }
  }
  const replacedAt = row.madeAt.at(generation - row.generation)
  const known = row.generation - generation <= row.madeAt.length
  if (known && replacedAt !== undefined && now - replacedAt <= times.graceMs) return { kind: 'repeat' }
  return { kind: 'revoke', row: { ...row, revoked: 'reuse' } }
}
