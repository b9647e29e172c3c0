/** A line of refresh tokens: each use replaces the one before. The tokens themselves are never stored. */
export interface FamilyRow {
  userId: string
  tenant?: string
  sessionId: string
  createdAt: number
  /** Which token of the line is the current one, from 0. */
  generation: number
  /** When each of the last tokens was issued, the current one last. */
  madeAt: number[]
  /** Goes into every token: a leaked signing key alone makes none. */
  seed: string
  revoked?: 'logout' | 'reuse'
}

export interface RefreshTimes {
  /** A token that was unused for this long expires. */
  idleMs: number
  /** However often it was renewed. */
  maxMs: number
  /** How long the token before the current one still gets the current pair: its answer may have been lost. */
  graceMs: number
}

export type RefreshDecision =
  | { kind: 'rotate'; row: FamilyRow }
  /** The current pair again. */
  | { kind: 'repeat' }
  | { kind: 'revoke'; row: FamilyRow }
  | { kind: 'revoked' }
  | { kind: 'expired' }

/** When this family ends at the latest. */
export function familyEnd({ createdAt, madeAt }: FamilyRow, { idleMs, maxMs }: RefreshTimes): number {
  return Math.min((madeAt.at(-1) ?? createdAt) + idleMs, createdAt + maxMs)
}

/**
 * Returns the response to a genuine token, which may be an older one of its family. After the grace time an old token means that it was stolen from,
 * or by, its holder. The server cannot distinguish the two, so it ends the family.
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
