/** Ids under which the changes of a file are decided: its hunks, or its path where it has none. */
import type { DiffFile } from '@holdpoint/core/internal'
export const decisionIds = ({ hunks, path }: DiffFile): readonly string[] =>
  hunks.length ? hunks.map(({ id }) => id) : [path]

/** Ids of every change of a diff. */
export const changeIds = (diff: readonly DiffFile[] | undefined): readonly string[] => diff?.flatMap(decisionIds) ?? []

/** Returns the number of added and removed lines of a file. */
export function lineCounts({ hunks }: DiffFile): { added: number; removed: number } {
  const lines = hunks.flatMap((hunk) => hunk.lines)
  const count = (sign: string) => lines.filter((line) => line.startsWith(sign)).length
  return { added: count('+'), removed: count('-') }
}
