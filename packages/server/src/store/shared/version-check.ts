import type { Commit } from '../port.ts'

export interface Expectation {
  kind: string
  id: string
  /** The expected version; 0 means that the row must not exist. */
  version: number
}

/** Returns the versions that a commit expects, in the order of conflict search: checks, puts, deletes. */
export function expectations({ checks, puts, deletes }: Commit): Expectation[] {
  const all: Expectation[] = checks ? [...checks] : []
  for (const { kind, id, expect } of puts ?? []) if (expect !== undefined) all.push({ kind, id, version: expect })
  for (const { kind, id, expect } of deletes ?? []) if (expect !== undefined) all.push({ kind, id, version: expect })
  return all
}

/**
 * Returns the first row whose version differs from the expected one, or null if all agree. All drivers share this rule.
 * `versionOf` returns 0 for a missing row.
 */
export function findConflict(
  item: Commit,
  versionOf: (kind: string, id: string) => number,
): { kind: string; id: string } | null {
  // Checks in the order of `expectations`, but creates no list, because this runs for every commit.
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
