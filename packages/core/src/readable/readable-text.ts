import { readableArgs } from './readable-args.ts'
import type { ReadableOptions, ReadableRow, ReadableValue } from './types.ts'

/**
 * Returns the arguments of a question as plain text for a terminal, an e-mail or a chat message: one row a line, lists
 * with dashes, texts of several lines indented.
 *
 * @example
 * readableText({ files: ['a.md', 'b.md'], force: false })
 * // Files:
 * //   - a.md
 * //   - b.md
 * // Force: No
 */
export function readableText(args: unknown, options?: ReadableOptions): string {
  return linesOf(readableArgs(args, options)).join('\n')
}

function linesOf(value: ReadableValue): string[] {
  if (value.kind === 'group') return value.rows.flatMap(rowLines)
  if (value.kind === 'list') return value.items.flatMap(itemLines)
  return value.text.split('\n')
}

function rowLines(row: ReadableRow): string[] {
  const label = row.exactKey === undefined ? row.label : `${row.label} (${row.exactKey})`
  return isShort(row.value) ? [`${label}: ${row.value.text}`] : [`${label}:`, ...indented(linesOf(row.value))]
}

function itemLines(item: ReadableValue): string[] {
  const [first = '', ...rest] = linesOf(item)
  return [`- ${first}`, ...indented(rest)]
}

const isShort = (value: ReadableValue): value is Extract<ReadableValue, { text: string }> =>
  value.kind === 'plain' || (value.kind === 'text' && !value.block)

const indented = (lines: readonly string[]) => lines.map((line) => `  ${line}`)
