import type { Commit } from '../port.ts'

export interface Expectation {
  kind: string
  id: string
  /** 0: the row must not exist. */
  version: number
}

/** What a commit says about versions, in the order in which conflicts are looked for: checks, puts, deletes. */
export function expectations({ checks, puts, deletes }: Commit): Expectation[] {
  const all: Expectation[] = checks ? [...checks] : []
  for (const { kind, id, expect } of puts ?? []) if (expect !== undefined) all.push({ kind, id, version: expect })
  for (const { kind, id, expect } of deletes ?? []) if (expect !== undefined) all.push({ kind, id, version: expect })
  return all
}

/**
 * The one rule of every driver: the first row whose version is another than the commit says; null when all agree.
 * `versionOf` answers 0 for a row that does not exist.
 */
export function findConflict(
  item: Commit,
  versionOf: (kind: string, id: string) => number,
): { kind: string; id: string } | null {
  for (const { kind, id, version } of expectations(item)) {
    if (versionOf(kind, id) !== version) return { kind, id }
  }
  return null
}
