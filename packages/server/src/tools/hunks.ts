import type { DiffDecisions, DiffFile } from '@holdpoint/core/internal'

/**
 * Returns which hunks of a diff may be applied. An approval without decisions covers all hunks. If there are decisions,
 * undecided hunks are omitted. Decisions about missing hunks are ignored. A file without hunks (deleted, renamed,
 * binary) is decided as a whole, under its path.
 */
export function hunksOf(
  diff: readonly DiffFile[],
  decisions: DiffDecisions | undefined,
): { accepted: string[]; rejected: string[] } {
  const ids = diff.flatMap(({ hunks, path }) => (hunks.length ? hunks.map(({ id }) => id) : [path]))
  const decided = decisions && Object.keys(decisions).length > 0 ? decisions : undefined
  const taken = (id: string) => !decided || (Object.hasOwn(decided, id) && decided[id] === 'accept')
  return { accepted: ids.filter(taken), rejected: ids.filter((id) => !taken(id)) }
}
