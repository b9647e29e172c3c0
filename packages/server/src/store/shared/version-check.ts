import type { Commit } from '../port.ts'

export interface Expectation {
  kind: string
  id: string
  /** 0: the row must not exist. */
  version: number
}

/** The versions that a commit expects, in the order of conflict search: checks, puts, deletes. */
export function expectations({ checks, puts, deletes }: Commit): Expectation[] {
  const all: Expectation[] = checks ? [...checks] : []
  for (const { kind, id, expect } of puts ?? []) if (expect !== undefined) all.push({ kind, id, version: expect })
  for (const { kind, id, expect } of deletes ?? []) if (expect !== undefined) all.push({ kind, id, version: expect })
  return all
}

/**
 * The rule of every driver: returns the first row whose version differs from the expected one; null if all agree.
 * `versionOf` returns 0 for a missing row.
 */
export function findConflict(
  item: Commit,
  versionOf: (kind: string, id: string) => number,
): { kind: string; id: string } | null {
  // In the order of `expectations`, without a list of them: this is done for every commit.
  for (const { kind, id, version } of item.checks ?? []) {
    if (versionOf(kind, id) !== version) return { kind, id }
  }
  for (const writes of [item.puts, item.deletes]) {
    for (const { kind, id, expect } of writes ?? []) {
      if (expect !== undefined && versionOf(kind, id) !== expect) return { kind, id }
    }
  }
  return null
}
