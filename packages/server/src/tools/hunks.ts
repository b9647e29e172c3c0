import type { DiffDecisions, DiffFile } from '@holdpoint/core/protocol'

/**
 * Which hunks of a diff may be applied. Without any decision a yes is a yes to all; where some were decided, a hunk that
 * was not is left out. Decisions about hunks that are not there count for nothing. A file without hunks (deleted,
 * renamed, binary) is decided as a whole, under its path.
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
