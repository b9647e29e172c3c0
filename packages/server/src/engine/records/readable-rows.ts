import type { Row } from '../../store/port.ts'
import type { Kind, RowTypes } from '../state/rows.ts'
import { decodeRow, isUnreadable } from './row-codec.ts'

/** Log lines that are remembered so that they are not repeated. */
const REMEMBERED = 10_000

interface Log {
  error(message: string, facts: Record<string, unknown>): void
}

/**
 * Decodes rows one at a time. A row that this release cannot read is omitted and logged once, with its partition and id
 * and never with its data, so that it affects only itself.
 */
export class ReadableRows {
  private readonly log: () => Log
  private readonly reported = new Set<string>()

  constructor(log: () => Log) {
    this.log = log
  }

  /** The decoded row; null when it cannot be read. */
  read<K extends Kind>(kind: K, row: Row): RowTypes[K] | null {
    const { partition, id } = row
    try {
      return decodeRow(kind, row.data, undefined, { partition, id }) as RowTypes[K]
    } catch (error) {
      this.report(row, error)
      return null
    }
  }

  /** The rows that can be read, in their order. */
  all<K extends Kind>(kind: K, rows: readonly Row[]): RowTypes[K][] {
    return rows.map((row) => this.read(kind, row)).filter((row) => row !== null)
  }

  /** Logs that a row was passed over. The row at fault may be another one, which the error then names. */
  report({ partition, kind, id, version }: Row, error: unknown): void {
    const key = JSON.stringify([partition, kind, id, version])
    if (this.reported.has(key)) return
    if (this.reported.size >= REMEMBERED) this.reported.clear()
    this.reported.add(key)
    const at = isUnreadable(error) ? { reason: error.message, ...error.details } : {}
    const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
    const name = error instanceof Error ? error.name : typeof error
    this.log().error('a stored row cannot be processed and is skipped; all other work continues', {
      row: { partition, kind, id },
      error: name,
      ...(code !== undefined && { code }),
      ...at,
    })
  }
}
